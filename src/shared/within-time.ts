/** @throws Error "Timed out" when `work` has not ended in time; it may still end later */
export async function withinTime<Result>(
  ms: number,
  work: (getRemainingMs: () => number) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + ms;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' })), ms);
  });
  try {
    return await Promise.race([work(() => deadline - performance.now()), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
