/** Maximum age of a shared call, in case it never ends. */
const MAX_SHARED_MS = 60_000;

/** Create a single flight: concurrent calls with the same key share one result or error. */
export function createSingleFlight<Result>() {
  const inFlight = new Map<string, Promise<Result>>();
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const known = inFlight.get(key);
    if (known) return known;
    const call = work();
    inFlight.set(key, call);
    const forget = () => {
      clearTimeout(timer);
      if (inFlight.get(key) === call) inFlight.delete(key);
    };
    const timer = setTimeout(forget, MAX_SHARED_MS).unref();
    call.then(forget, forget);
    return call;
  };
}
