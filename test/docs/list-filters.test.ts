import { readFile } from 'node:fs/promises';
import { t } from '../tap.ts';

interface Parameter {
  name: string;
  in: string;
  $ref?: string;
}

interface OpenApiDocument {
  paths: Record<string, { get: { parameters: Parameter[] } }>;
  components: { parameters: Record<string, Parameter> };
}

const document: OpenApiDocument = JSON.parse(await readFile('docs/reference/openapi.json', 'utf8'));

function listParameterNames(path: string): string[] {
  const parameters = document.paths[path]?.get.parameters ?? [];
  return parameters
    .map((parameter) => {
      const shared = parameter.$ref && document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
      return shared || parameter;
    })
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
}

t.test('the guide of a list names each of its parameters', async (t) => {
  for (const [path, guide] of [
    ['/api/qrcodes', 'codes'],
    ['/api/documents', 'documents'],
    ['/api/conversations', 'conversations'],
    ['/api/memory-tags', 'memory-tags'],
  ] as const) {
    const text = await readFile(`docs/guides/${guide}.md`, 'utf8');
    const names = listParameterNames(path);
    t.ok(names.includes('createdFrom'), path);
    const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    t.same(missing, [], guide);
  }
});
