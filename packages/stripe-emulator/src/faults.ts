/** Something that goes wrong on purpose, the next few times that a request fits. */
export interface InjectedFault {
  /**
   * slow: the answer takes `ms`. error: 500, and nothing was done. cut: it is done, and the connection ends without an
   * answer after `ms`. halfway: it is done, and the answer is 500, for good under its key. busy: 429. away: the
   * connection ends and nothing was done.
   */
  kind: 'slow' | 'error' | 'cut' | 'halfway' | 'busy' | 'away';
  /** What the path begins with; all of them without one. */
  path: string;
  /** GET, POST or DELETE; all of them without one. */
  method: string | null;
  /** How many requests it is for. */
  count: number;
  ms: number;
  /** Seconds named in Retry-After. */
  retryAfter: number;
}

export const FAULT_KINDS: readonly InjectedFault['kind'][] = [
  'slow',
  'error',
  'cut',
  'halfway',
  'busy',
  'away',
];

/** The faults that are switched on; each request takes the first that fits. */
export class FaultQueue {
  #waiting: InjectedFault[] = [];

  add(fault: InjectedFault): void {
    this.#waiting.push(fault);
  }

  clear(): void {
    this.#waiting = [];
  }

  listFaults(): readonly InjectedFault[] {
    return this.#waiting;
  }

  takeMatching(method: string, path: string): InjectedFault | null {
    const fault = this.#waiting.find(
      (one) => path.startsWith(one.path) && (one.method === null || one.method === method),
    );
    if (!fault) return null;
    fault.count -= 1;
    if (fault.count <= 0) this.#waiting = this.#waiting.filter((one) => one !== fault);
    return fault;
  }
}
