import { generateClientTypes } from './client-types.ts';
import { describeApplication } from './describe-application.ts';
import { writeGeneratedFile } from './write-generated-file.ts';

/** Write the types of the client from the application in dist/. */
export async function writeClientTypes(): Promise<void> {
  const { api } = await describeApplication({
    ...(await importBuilt<typeof import('../../src/app.ts')>('app.js')),
    ...(await importBuilt<typeof import('../../src/config.ts')>('config.js')),
    ...(await importBuilt<typeof import('../../src/platform/database.ts')>('platform/database.js')),
    ...(await importBuilt<typeof import('../../src/services.ts')>('services.js')),
  });
  for (const [file, text] of await generateClientTypes(api)) await writeGeneratedFile(file, text);
}

/** Loads in half the time of a source. Its types are those of the source. */
function importBuilt<Module>(path: string): Promise<Module> {
  return import(new URL(`../../dist/${path}`, import.meta.url).href);
}
