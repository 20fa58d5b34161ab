-- name: indexed_rev
-- How far a scope's texts are in the index.
SELECT indexed_rev FROM scopes WHERE id = ?1;

-- name: sizes
-- How many texts of a scope are in the index, and how many words they have.
SELECT indexed_texts, indexed_words FROM scopes WHERE id = ?1;

-- name: frequencies
-- In how many texts of a scope each term stands; terms are a JSON array.
SELECT term, count(*) FROM postings
WHERE scope = ?1 AND term IN (SELECT value FROM json_each(?2)) GROUP BY term ORDER BY term;

-- name: best
-- The best texts for weighted terms (a JSON array of [term, weight]), by BM25 with its usual constants; ?3 is the mean
-- number of words. Rounded, so that the order of additions decides nothing.
SELECT t.reference, round(sum(
    json_extract(w.value, '$[1]') * p.times * 2.2 / (p.times + 1.2 * (0.25 + 0.75 * t.words / ?3))
), 9) AS score
FROM json_each(?2) AS w
CROSS JOIN postings AS p ON p.scope = ?1 AND p.term = json_extract(w.value, '$[0]')
CROSS JOIN texts AS t ON t.scope = ?1 AND t.id = p.text
GROUP BY p.text ORDER BY score DESC, t.reference LIMIT ?4;

-- name: last_text
-- The highest number of a scope's texts.
SELECT coalesce(max(id), 0) FROM texts WHERE scope = ?1;

-- name: find_texts
-- Texts that are in the index already, by their references in a JSON array.
SELECT id, words, terms FROM texts
WHERE scope = ?1 AND reference IN (SELECT value FROM json_each(?2)) ORDER BY id;

-- name: add_text
-- A text, and the terms it is found by.
INSERT INTO texts (scope, id, reference, words, terms) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: add_posting
-- That a term stands in a text, and how often.
INSERT INTO postings (scope, term, text, times) VALUES (?1, ?2, ?3, ?4);

-- name: drop_text
-- One text.
DELETE FROM texts WHERE scope = ?1 AND id = ?2;

-- name: drop_posting
-- A term of one text.
DELETE FROM postings WHERE scope = ?1 AND term = ?2 AND text = ?3;

-- name: save_sizes
-- How far the index reaches, and how much more it holds.
UPDATE scopes
SET indexed_rev = ?2, indexed_texts = indexed_texts + ?3, indexed_words = indexed_words + ?4 WHERE id = ?1;

-- name: clear_texts
-- All texts of a scope.
DELETE FROM texts WHERE scope = ?1;

-- name: clear_postings
-- All terms of a scope.
DELETE FROM postings WHERE scope = ?1;

-- name: clear_sizes
-- An index that holds nothing.
UPDATE scopes SET indexed_rev = 0, indexed_texts = 0, indexed_words = 0 WHERE id = ?1;
