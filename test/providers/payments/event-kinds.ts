import { readdir, readFile } from 'node:fs/promises';

const RESOURCES_FOLDER = 'node_modules/stripe/esm/resources/';

/** A kind of event, and the name of the object that it tells of. */
export interface EventKind {
  kind: string;
  object: string;
}

/** Every kind of event that the types of the library know, but for a few of which the object is one of several. */
export async function readEventKinds(): Promise<EventKind[]> {
  const names = await readObjectNames();
  const events = await readDeclarations('Events.d.ts');
  return [...events.matchAll(/ type: '([^']+)';\s+data: (\w+)\.Data;/g)].flatMap(([, kind = '', event]) => {
    const type = new RegExp(`namespace ${event} \\{.*?object: ([\\w.]+);`, 's').exec(events)?.[1] ?? '';
    const object = names.get(type) ?? OBJECT_NAMES_OF_UNION_TYPES[type];
    return object === undefined ? [] : [{ kind, object }];
  });
}

/** One of those that it may be. */
const OBJECT_NAMES_OF_UNION_TYPES: Record<string, string> = {
  ExternalAccount: 'bank_account',
  CustomerSource: 'card',
};

/** What objects call themselves, by their type, as `Issuing.Card`. */
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

/** A file of types without its comments. */
async function readDeclarations(file: string): Promise<string> {
  return (await readFile(`${RESOURCES_FOLDER}${file}`, 'utf8')).replaceAll(/\/\*\*.*?\*\//gs, '');
}
