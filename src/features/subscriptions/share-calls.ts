/** Milliseconds after which a call is not shared with whoever comes, should it never end. */
const LONGEST = 60_000;

/** Has calls for the same thing that come while one is under way get its answer, or its error. */
export function createSharedCalls<Result>() {
  const underWay = new Map<string, Promise<Result>>();
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const known = underWay.get(key);
    if (known) return known;
    const call = work();
    underWay.set(key, call);
    const forget = () => {
      clearTimeout(timer);
      if (underWay.get(key) === call) underWay.delete(key);
    };
    const timer = setTimeout(forget, LONGEST).unref();
    call.then(forget, forget);
    return call;
  };
}
