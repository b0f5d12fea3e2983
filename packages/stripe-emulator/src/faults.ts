export interface InjectedFault {
  /** error, away: not done. cut: done, then closed after `ms`. halfway: done, but 500, repeated for its key. */
  kind: 'slow' | 'error' | 'cut' | 'halfway' | 'busy' | 'away';
  /** Prefix of the path; empty for all. */
  path: string;
  /** Null for all methods. */
  method: string | null;
  count: number;
  ms: number;
  /** Seconds of Retry-After. */
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

/** Active faults; each request consumes the first match. */
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
