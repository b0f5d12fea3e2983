import { readFile } from 'node:fs/promises';
import { API_VERSION } from '../../src/platform/http/api-versions.ts';
import { asObject, type JsonObject } from '../../src/platform/openapi-object.ts';

/** The interface of the last release; before the first one, that of this version of the code. */
export const INTERFACE_FILE = 'docs/reference/openapi.json';

/** Whether the changelog has a released version. */
export async function isReleased(): Promise<boolean> {
  return /^## \[\d/m.test(await readFile('CHANGELOG.md', 'utf8'));
}

/** Format the structure of the OpenAPI document, one line for each operation and component. */
export function formatInterface(document: JsonObject): string {
  const { openapi, info, paths, components, security } = asObject(omitTexts(document));
  const structure = {
    openapi,
    info: { title: asObject(info).title, version: API_VERSION },
    security,
    paths,
    components,
  };
  return `${formatMembers(structure, '', { paths: 2, components: 2 })}\n`;
}

/** Format an object with a line for each member, and those of a depth over several lines. */
function formatMembers(value: JsonObject, indent: string, depths: Readonly<Record<string, number>>): string {
  const members = Object.entries(value).map(([key, part]) => {
    const depth = depths[key] ?? depths['*'] ?? 0;
    const text =
      depth > 0 ? formatMembers(asObject(part), `${indent} `, { '*': depth - 1 }) : JSON.stringify(part);
    return `${indent} ${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** Omit texts and examples, which are no part of the contract. */
function omitTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitTexts);
  if (typeof value !== 'object' || value === null) return value;
  const isMedia = 'schema' in value;
  const parts = Object.entries(value).filter(([key, part]) => {
    if (key === 'description' || key === 'summary') return typeof part !== 'string';
    if (key === 'examples' || key === 'example') return !isMedia && !Array.isArray(part);
    return true;
  });
  return Object.fromEntries(parts.map(([key, part]) => [key, omitTexts(part)]));
}
