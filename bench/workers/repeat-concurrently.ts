/** Requests that make events at a time. */
const SENDER_CONCURRENCY = 3;

/** Does something so many times, some of it at a time; it gets the number of the time. */
export async function repeatConcurrently(
  times: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const sender = async () => {
    for (let number = next++; number < times; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: SENDER_CONCURRENCY }, sender));
}
