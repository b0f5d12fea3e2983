/** Pieces that one content moves before another has its turn, while both have one to move: 16 MiB of 64 KiB each. */
const PIECES_A_TURN = 256;

interface Mover {
  /** Pieces that are left of its turn. */
  left: number;
  go: () => void;
}

/** Those that wait with a piece: in the middle of their turn, and before it. */
const begun: Mover[] = [];
const others: Mover[] = [];
let isServing = false;

/**
 * What a large content asks before each of its pieces. One piece of all contents together is let through in a round of the
 * event loop, so that a hundred of them hold up everybody else by one piece and not by a hundred; and one content goes on
 * for a while, so that not all of them end at once. Who has no piece to move yet keeps nobody waiting.
 */
export function createTurns(): () => Promise<void> {
  const mover: Mover = { left: 0, go: () => undefined };
  return () =>
    new Promise((go) => {
      mover.go = go;
      (mover.left > 0 ? begun : others).push(mover);
      if (isServing) return;
      isServing = true;
      setImmediate(serve);
    });
}

function serve(): void {
  const mover = begun.shift() ?? others.shift();
  if (mover) {
    mover.left = mover.left > 0 ? mover.left - 1 : PIECES_A_TURN - 1;
    mover.go();
  }
  isServing = begun.length + others.length > 0;
  if (isServing) setImmediate(serve);
}
