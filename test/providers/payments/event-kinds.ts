import { readdir, readFile } from 'node:fs/promises';

const RESOURCES = 'node_modules/stripe/esm/resources/';

/** A kind of event, and the name of the object that it tells of. */
export interface EventKind {
  kind: string;
  object: string;
}

/** Every kind of event that the types of the library know, but for a few of which the object is one of several. */
export async function readEventKinds(): Promise<EventKind[]> {
  const names = await objectNames();
  const events = await declarations('Events.d.ts');
  return [...events.matchAll(/ type: '([^']+)';\s+data: (\w+)\.Data;/g)].flatMap(([, kind = '', event]) => {
    const type = new RegExp(`namespace ${event} \\{.*?object: ([\\w.]+);`, 's').exec(events)?.[1] ?? '';
    const object = names.get(type) ?? SEVERAL[type];
    return object === undefined ? [] : [{ kind, object }];
  });
}

/** One of those that it may be. */
const SEVERAL: Record<string, string> = { ExternalAccount: 'bank_account', CustomerSource: 'card' };

/** What objects call themselves, by their type, as `Issuing.Card`. */
async function objectNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const files = await readdir(RESOURCES, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    const [space] = file.includes('/') ? file.split('/') : [];
    const text = await declarations(file);
    for (const [, name = '', object = ''] of text.matchAll(
      /^export interface (\w+) \{\n(?: {4}.*\n)*? {4}object: '([^']+)';/gm,
    ))
      names.set(space === undefined ? name : `${space}.${name}`, object);
  }
  return names;
}

/** A file of types without its comments. */
async function declarations(file: string): Promise<string> {
  return (await readFile(`${RESOURCES}${file}`, 'utf8')).replaceAll(/\/\*\*.*?\*\//gs, '');
}
