import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runWithServices } from '../../src/commands/command-context.ts';
import { ENCRYPTED_COLUMNS } from '../../src/platform/encrypted-columns.ts';
import { findEncryptedValues, findStaleEncryptedValues } from '../../src/platform/reencrypt.repository.ts';
import { countStaleEncryptedValues } from '../../src/platform/reencrypt.ts';
import type { Services } from '../../src/services.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { alternateSides } from '../measure.ts';
import { createProcessEnvironment } from '../service-process.ts';
import { runWithDataWorld } from '../worlds/data-world.ts';

/** With so many scans there are 200,000 encrypted values. */
const GENERATED_SCANS = 100_000;

/** Compare `keys:rotate` beside the running service with reading, decrypting and encrypting the same values alone. */
export const rotationBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithDataWorld(options.scale(GENERATED_SCANS), null, async ({ folder }) => {
      const rates = await alternateSides(options, async (side) => {
        if (side === 'baseline')
          return runWithServices(createProcessEnvironment(folder), {}, reencryptInMemory);
        await runKeysCommand(folder, 'add');
        const values = await runWithServices(createProcessEnvironment(folder), {}, (services) =>
          countStaleEncryptedValues(services, new AbortController().signal),
        );
        const startedAt = performance.now();
        await runKeysCommand(folder, 'rotate');
        return (values / (performance.now() - startedAt)) * 1000;
      });
      return [{ row: 'rotation', measure: 'values a second', unit: '/s', ...rates, ratioGoal: null }];
    }),
};

async function runKeysCommand(folder: string, verb: 'add' | 'rotate'): Promise<void> {
  const child = spawn(process.execPath, ['dist/commands/keys.js', verb], {
    env: createProcessEnvironment(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`keys:${verb} ended with ${code}.`);
}

async function reencryptInMemory({ database, fieldCipher }: Services): Promise<number> {
  const startedAt = performance.now();
  let values = 0;
  for (const definition of ENCRYPTED_COLUMNS)
    for (let after: string | null = ''; after !== null; ) {
      const { table, column } = definition;
      // With an unknown primary key every value counts as stale.
      const page = await findStaleEncryptedValues(database, definition, after, 'none');
      for (const { id: rowId, ownerId, bytes } of await findEncryptedValues(
        database,
        definition,
        page.stale,
      )) {
        const location = { table, column, rowId, ownerId };
        fieldCipher.encrypt(location, fieldCipher.decrypt(location, bytes), 'GCM');
        values += 1;
      }
      after = page.last;
    }
  return (values / (performance.now() - startedAt)) * 1000;
}
