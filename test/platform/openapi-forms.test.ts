import { uploadDocument } from '../features/documents/upload.ts';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../helper.ts';
import { getOpenApiDocument, resolveSchema } from '../openapi-document.ts';
import { t } from '../tap.ts';

interface FormOperation {
  method: string;
  path: string;
  required: string[];
}

t.test('a form requires in the document exactly what the service refuses it without', async (t) => {
  const test = await startTestApp(t);
  const forms = await listForms(test);
  t.ok(forms.length >= 8, `${forms.length} forms`);
  for (const { method, path, required } of forms) {
    const { token, id } = await createTarget(test, path);
    const response = await test.call(method, path.replace('{id}', id), {
      token,
      body: '--XX--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=XX' },
    });
    const errors: { field: string; code: string }[] = response.body.errors ?? [];
    const refused = errors.filter(({ code }) => code === 'REQUIRED').map(({ field }) => field);
    t.same(required.toSorted(), refused.toSorted(), `${method} ${path}: ${response.status}`);
  }
});

t.test('a field of a form is a text, or JSON with an encoding', async (t) => {
  const document = await getOpenApiDocument((await startTestApp(t)).call);
  const { content } = document.paths['/api/documents'].post.requestBody;
  const { schema, encoding } = content['multipart/form-data'];
  t.same(encoding, { metadata: { contentType: 'application/json' } });
  const { properties } = resolveSchema(document, schema);
  t.equal(properties.metadata.type, 'object', 'no null, which a form cannot have');
  t.equal(properties.externalId.type, 'string');
});

async function listForms({ call }: TestApp): Promise<FormOperation[]> {
  const document = await getOpenApiDocument(call);
  return Object.entries<Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>(
    document.paths,
  ).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) => {
      const form = requestBody?.content['multipart/form-data'];
      if (!form) return [];
      return [
        { method: method.toUpperCase(), path, required: resolveSchema(document, form.schema).required ?? [] },
      ];
    }),
  );
}

/** Create the record in the path, and a user for whom the operation is open. */
async function createTarget(test: TestApp, path: string): Promise<{ token: string; id: string }> {
  if (path === '/api/auth/create-profile') return { token: await registerWithNames(test), id: '' };
  const user = await test.createUser();
  const token = user.accessToken;
  const create = async (url: string, body: object) =>
    String((await test.call('POST', url, { token, body })).body.id);
  if (path.startsWith('/api/auth/profile/')) return { token, id: user.id };
  if (path.startsWith('/api/qrcodes/'))
    return { token, id: await create('/api/qrcodes', { kind: 'PET', title: 'Rex', data: { name: 'Rex' } }) };
  if (path.startsWith('/api/memory-tags/'))
    return { token, id: await create('/api/memory-tags', { name: 'Ada' }) };
  if (path.startsWith('/api/documents/'))
    return { token, id: String((await uploadDocument(test, token)).body.id) };
  return { token, id: '' };
}

/** Names that are given here are optional for the profile. @returns the access token */
async function registerWithNames({ call, getOtp }: TestApp): Promise<string> {
  const email = 'ada@example.org';
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD, ...names } });
  const otp = await getOtp(email);
  return (await call('POST', '/api/auth/verify-otp', { body: { email, otp } })).body.accessToken;
}
