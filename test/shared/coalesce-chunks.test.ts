import { coalesceChunks } from '../../src/shared/coalesce-chunks.ts';
import { t } from '../tap.ts';

t.test('merges small chunks without changing the content', async (t) => {
  const whole = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
  for (const sizes of [[1], [1, 16_384], [16_383], [16_385, 3], [40_000], [0, 7, 20_000], [100_000]]) {
    async function* content() {
      for (let at = 0, nth = 0; at < whole.length; nth += 1) {
        const size = sizes[nth % sizes.length] ?? 1;
        yield whole.subarray(at, at + size);
        at += size;
      }
    }
    const chunks: Buffer[] = [];
    for await (const chunk of coalesceChunks(content())) chunks.push(chunk);
    t.ok(Buffer.concat(chunks).equals(whole), `${sizes}`);
    t.ok(chunks.length <= Math.ceil((2 * whole.length) / 16_384), `${sizes}: ${chunks.length} pieces`);
  }
  for await (const _ of coalesceChunks((async function* () {})())) t.fail('an empty content has no chunks');
});
