import type { FormRules } from './http/form-rules.ts';

type Json = Record<string, unknown>;

const FORM = 'multipart/form-data';

/**
 * Corrects in the OpenAPI document what the schemas of routes say from the inside: a parameter with a default need
 * not be given, and a form brings files beside its fields. `forms` are the forms of routes by operationId.
 */
export function asClientsSendIt(document: Json, forms: ReadonlyMap<string, FormRules>): Json {
  for (const path of Object.values(objectOf(document.paths))) {
    for (const operation of Object.values(objectOf(path)).map(objectOf)) {
      for (const parameter of arrayOf(operation.parameters).map(objectOf)) {
        if ('default' in objectOf(parameter.schema)) parameter.required = false;
      }
      const form = forms.get(String(operation.operationId));
      if (form) operation.requestBody = withForm(objectOf(operation.requestBody), form);
    }
  }
  return document;
}

/** What a route takes, with its form; a form of files alone has no schema of its own. */
function withForm(body: Json, form: FormRules): Json {
  const content = objectOf(body.content);
  // The content types share one object until here.
  const made = { schema: withFiles(objectOf(objectOf(content[FORM]).schema), form) };
  return { ...body, content: { ...content, [FORM]: made }, ...(form.streamed ? { required: true } : {}) };
}

function withFiles(schema: Json, { files, streamed }: FormRules): Json {
  const fields = [...Object.entries(files), ...(streamed ? [[streamed.name, streamed] as const] : [])].map(
    ([name, { maxBytes }]) => {
      const description = `A file of at most ${maxBytes.toLocaleString('en')} bytes.`;
      return [name, { type: 'string', format: 'binary', description }];
    },
  );
  const properties = { ...objectOf(schema.properties), ...Object.fromEntries(fields) };
  // A route takes a file as it comes where there is nothing without it.
  return { type: 'object', ...schema, properties, ...(streamed ? { required: [streamed.name] } : {}) };
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
