const SENDER_CONCURRENCY = 3;

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
