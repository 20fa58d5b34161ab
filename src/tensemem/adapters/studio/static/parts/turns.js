// Whose turn it is at a place of the page: that of whoever asked last. What was asked for it before is given up, and its
// answer, however late it comes, never gets onto the page. Views put answers on the page by this alone.

import { fill } from "../dom.js";
import { trouble } from "./basics.js";

const turns = new WeakMap();

/**
 * Put an answer onto a place: `ask(signal, soFar)` fetches it, `show(found)` draws it, `fail(problem)` tells what went
 * wrong; `soFar(found)` draws what has been found before all has. Until then the place is told to be busy. The turn ends with `life`, or with the next one at the same place. Whatever
 * `ask` does with its signal, neither `show` nor `fail` is called once the turn is over.
 */
export async function put(place, life, ask, show, fail) {
  const turn = begin(place, life);
  const isOver = () => turn.signal.aborted;
  try {
    const found = await ask(turn.signal, (part) => isOver() || show(part));
    if (!isOver()) show(found);
  } catch (problem) {
    if (!isOver()) fail(problem);
  } finally {
    if (!isOver()) end(place, turn);
  }
}

/** Fill a place with what `draw` makes of the answer, or with what went wrong and, given `again`, a way to try again. */
export function fillWith(place, life, ask, draw, again) {
  return put(
    place,
    life,
    ask,
    (found) => fill(place, draw(found)),
    (problem) => fill(place, trouble(problem, again)),
  );
}

/**
 * Call a function that looks again at what is on a place: at once, or as soon as the turn there is over, and then once
 * for all that wanted it meanwhile. A log that never rests so can't keep an answer from ever being shown. A turn that
 * begins before is newer, and does it as well.
 */
export function afterwards(place, call) {
  const turn = turns.get(place);
  if (turn) turn.next = call;
  else call();
}

/** Give up what is asked for a place: what was there, or is put there now, stays. */
export function giveUp(place) {
  const turn = turns.get(place);
  if (!turn) return;
  turns.delete(place);
  turn.controller.abort();
  place.removeAttribute("aria-busy");
}

function begin(place, life) {
  turns.get(place)?.controller.abort();
  const controller = new AbortController();
  const signal = life ? AbortSignal.any([life.signal, controller.signal]) : controller.signal;
  const turn = { controller, signal, next: null };
  turns.set(place, turn);
  place.setAttribute("aria-busy", "true");
  return turn;
}

function end(place, turn) {
  turns.delete(place);
  place.removeAttribute("aria-busy");
  turn.next?.();
}
