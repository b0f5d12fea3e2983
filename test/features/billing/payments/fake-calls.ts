import {
  PaymentError,
  type PaymentProviderErrorCode,
} from '../../../../src/providers/payments/payments.port.ts';

/** Control calls to an in-memory provider: unavailable, failing, delayed or with lost responses. */
export function createFakeCalls() {
  const calls: string[] = [];
  const requestedIds: string[] = [];
  const failures: PaymentError[] = [];
  const results = new Map<string, unknown>();
  const state = {
    isUnavailable: false,
    /** Number of responses that get lost after the effect. */
    loses: 0,
    losesOf: '',
    /** Resolves before each response, which is computed already. */
    delay: async (_id: string): Promise<void> => {},
  };

  /** Make a call, with one effect per key. @param id requested object; an empty one is not recorded */
  async function call<Answer>(
    operation: string,
    id: string,
    key: string | null,
    work: () => Answer,
  ): Promise<Answer> {
    calls.push(operation);
    if (id) requestedIds.push(id);
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (state.isUnavailable) throw new PaymentError('UNAVAILABLE', 'AWAY', 7);
    const failure = failures.shift();
    if (failure) throw failure;
    const answer = key !== null && results.has(key) ? (results.get(key) as Answer) : structuredClone(work());
    if (key !== null) results.set(key, answer);
    if (state.loses > 0 || state.losesOf === operation) {
      state.loses = Math.max(0, state.loses - 1);
      state.losesOf = '';
      throw new PaymentError('UNAVAILABLE', 'TIMEOUT');
    }
    await state.delay(id);
    return answer;
  }

  return {
    call,
    calls,
    requestedIds: requestedIds,
    state,
    fail(failure: PaymentProviderErrorCode, times = 1, retryAfter: number | null = null) {
      for (let time = 0; time < times; time++) failures.push(new PaymentError(failure, failure, retryAfter));
    },
    recover: () => failures.splice(0),
    /** Lose the next response of a call after its effect. */
    loseResponseOf(operation: string) {
      state.losesOf = operation;
    },
  };
}
