import { readdir, readFile } from 'node:fs/promises';

const RESOURCES_FOLDER = 'node_modules/stripe/esm/resources/';

export interface EventKind {
  kind: string;
  object: string;
}

/** Read all event types of the library, except some with a union of objects. */
export async function readEventKinds(): Promise<EventKind[]> {
  const names = await readObjectNames();
  const events = await readDeclarations('Events.d.ts');
  return [...events.matchAll(/ type: '([^']+)';\s+data: (\w+)\.Data;/g)].flatMap(([, kind = '', event]) => {
    const type = new RegExp(`namespace ${event} \\{.*?object: ([\\w.]+);`, 's').exec(events)?.[1] ?? '';
    const object = names.get(type) ?? OBJECT_NAMES_OF_UNION_TYPES[type];
    return object === undefined ? [] : [{ kind, object }];
  });
}

/** One object of each union. */
const OBJECT_NAMES_OF_UNION_TYPES: Record<string, string> = {
  ExternalAccount: 'bank_account',
  CustomerSource: 'card',
};

/** Read the names of objects by type, such as `Issuing.Card`. */
async function readObjectNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const files = await readdir(RESOURCES_FOLDER, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    const [space] = file.includes('/') ? file.split('/') : [];
    const text = await readDeclarations(file);
    for (const [, name = '', object = ''] of text.matchAll(
      /^export interface (\w+) \{\n(?: {4}.*\n)*? {4}object: '([^']+)';/gm,
    ))
      names.set(space === undefined ? name : `${space}.${name}`, object);
  }
  return names;
}

/** Read a declaration file without comments. */
async function readDeclarations(file: string): Promise<string> {
  return (await readFile(`${RESOURCES_FOLDER}${file}`, 'utf8')).replaceAll(/\/\*\*.*?\*\//gs, '');
}
