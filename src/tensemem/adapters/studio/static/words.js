// What codes mean, in words: statuses, outcomes, reasons, and what went wrong with what to do about it.

/** The sign of each status, as a path, and what it means: both as in drawings. */
export const STATUS = {
  active: ["M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0zM-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z", "holds now"],
  superseded: ["M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z", "held until another value did"],
  retracted: ["M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0zM-2.5 0h5", "held until it was taken back"],
  expired: ["M-4-5h8L-4 5h8z", "held until its time ran out"],
  scheduled: ["M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0zM0-2.8V0L2 1.6", "will hold from its date on"],
  planned: ["M0-5.5L5.5 0L0 5.5L-5.5 0z", "is planned; holds only once confirmed"],
  candidate: ["M-2.6-2.4a2.6 2.6 0 1 1 3.9 2.2q-1.3.8-1.3 2.2M0 4.6v.4", "waits for review"],
  corrected: ["M-4-4L4 4M4-4L-4 4", "was wrong, and was corrected"],
  denied: ["M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0zM-3.2 3.2L3.2-3.2", "was said never to have held"],
  overridden: ["M-5 1q2.5-5 5 0t5 0", "never shown: a later statement covers its time"],
};

const REASONS = {
  malformed: "it is no operation",
  bad_subject: "its subject can't be a name",
  speaker_mismatch: "somebody else said it about the user",
  unknown_predicate: "nobody has registered this attribute",
  not_allowed: "this speaker may not write this attribute",
  no_quote: "its quote is not in the message",
  echo: "it repeats what the memory itself had told",
  hypothetical: "it says what would be, not what is",
  question: "it is a question",
  bad_value: "its value does not fit the attribute's type or choices",
  bad_time: "its times can't be read or contradict each other",
  forgotten: "it was said before this was forgotten",
  quoted_region: "it is quoted from words in quotation marks, code or a mail",
  reported: "it says what somebody else said",
  not_in_words: "no word of the value is in the message",
  low_confidence: "it is less certain than the attribute asks for",
  undeclared_subject: "it is about a name nobody has registered",
  undated: "the plan has no date",
  paraphrased: "only some words of the value are the user's",
  retract_mismatch: "it takes away what was not shown; nothing changed",
  not_shown: "it confirms what was not shown; it was left aside",
  correction: "a correction",
  reinstatement: "a correction taken back",
  review: "a review",
};

/** Say what a reason code means; unknown ones as they are. */
export function reason(code) {
  return REASONS[code] ?? String(code ?? "").replaceAll("_", " ");
}

const OUTCOMES = {
  admitted: "admitted: it counts",
  held: "held: it waits for review",
  planned: "planned: it waits to be confirmed",
  refused: "refused: it does not count",
  skipped: "skipped: nothing was proposed",
  erased: "erased",
};

/** Say what became of an operation. */
export function outcome(code) {
  return OUTCOMES[code] ?? String(code);
}

const WHY = {
  write: "written by the application",
  extraction: "learnt from a message",
  correction: "a correction",
  reinstatement: "a correction taken back",
  review: "a review",
};

/** Say which kind of entry changed a value. */
export function why(kind) {
  return WHY[kind] ?? String(kind);
}

/** Say an operation: `set lives_in to "Delhi"`. */
export function operationWords(op) {
  return (
    {
      set: "set",
      add: "add",
      remove: "remove",
      replace: "replace all with",
      retract: "no longer",
      deny: "never",
      confirm: "still",
    }[op] ?? op
  );
}

const ADVICE = {
  unreachable: "Is the server running? The studio tries again by itself.",
  unauthenticated: "Enter a token that the server knows.",
  forbidden: "This key may not do that. Use a key with the role it takes, or one for this person.",
  "rate-limited": "Too many requests for this key. Wait a little, then try again.",
  conflict: "It has changed meanwhile. Look at it as it is now, then decide again.",
  "stale-memory": "Messages still wait to be read. Try again when they are.",
  "already-corrected": "It has been corrected before. Undo takes that correction back.",
  "unknown-fact": "It is not there any more: it was corrected into another, or forgotten.",
  "unknown-predicate": "Register the attribute first, under Registry.",
  "predicate-conflict": "The name is taken, or defined otherwise. Change the name, or save it as a change.",
  "invalid-value": "Change what you entered, then try again.",
  "invalid-time": "Write a time as 2026, 2026-03, 2026-03-05 or 2026-03-05T10:30Z.",
  "invalid-scope": "A name of a person has 1 to 512 characters.",
  "idempotency-conflict": "Try again.",
  "store-busy": "The memory is busy. Try again in a moment.",
  "extractor-unavailable": "The model can't be reached now. Try again later.",
  "read-only": "The memory was opened for reading only.",
  closed: "The server is stopping.",
  "not-found": "The server does not offer this.",
  "not-here": "Open the studio under a name that the server knows: its own, or one that --allow-host tells it.",
};

/** Give what went wrong, and what to do, each as a sentence. */
export function told(problem) {
  const what = sentence(problem.message || "Something went wrong.");
  const todo = ADVICE[problem.kind] ?? (problem.status >= 500 ? "Try again; the server's own log says more." : "");
  return [what, todo];
}

function sentence(text) {
  const trimmed = text.trim();
  const start = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}

/** Say how far a memory lags behind its log: a word, a tone, and all of it. */
export function freshnessWords(fresh) {
  if (fresh.failed && fresh.pending) return [`${fresh.failed} failed, ${fresh.pending} waiting`, "bad", lag(fresh)];
  if (fresh.failed) return [`${fresh.failed} failed`, "bad", lag(fresh)];
  if (fresh.pending) return [`${fresh.pending} waiting`, "warn", lag(fresh)];
  return ["up to date", "good", "Every message has been read."];
}

/** Say what keeps messages waiting, where it is something to do: a few words, or none. */
export function hindrance(fresh) {
  return fresh?.reason === "no_extractor" ? "no extractor is at work" : "";
}

const LAG = {
  no_extractor: "Nobody reads messages: no extractor is configured or running, so they wait.",
  extracting: "They are being read now.",
  retrying: "They were tried before and are tried again.",
  failed: "They were given up; see what waits.",
};

function lag(fresh) {
  const parts = [];
  if (fresh.pending) parts.push(`${count(fresh.pending, "message")} not read yet.`);
  if (fresh.failed) parts.push(`${count(fresh.failed, "message")} could not be read.`);
  if (LAG[fresh.reason]) parts.push(LAG[fresh.reason]);
  return parts.join(" ");
}

const numbers = new Intl.NumberFormat(undefined);

/** Give a number for people. */
export function number(value) {
  return numbers.format(value);
}

/** Give a number of things: `3 messages`. */
export function count(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** Say who a subject is: the person, or somebody or something of theirs. */
export function subjectWords(subject) {
  if (subject === "user") return "This person";
  return subject.startsWith("user.") ? `Their ${subject.slice(5).replaceAll(".", "’s ")}` : subject;
}
