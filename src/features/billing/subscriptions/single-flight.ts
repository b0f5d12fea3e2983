/** Milliseconds after which a call is not shared with whoever comes, should it never end. */
const MAX_SHARED_MS = 60_000;

/** Has calls for the same thing that come while one is under way get its answer, or its error. */
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
