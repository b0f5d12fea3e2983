import { parseQrCodeKind, QR_CODE_KINDS } from '../../../../src/features/codes/kinds/all-kinds.ts';
import { findQrCodeDataErrors } from '../../../../src/features/codes/kinds/validate-data.ts';
import { normalizeEmail } from '../../../../src/shared/email.ts';
import { t } from '../../../tap.ts';
import { OWN_ADDRESSES } from './own-addresses.ts';

function errorsOf(name: string, data: unknown): string[] {
  const kind = parseQrCodeKind(name);
  if (kind === null) throw new Error(`no kind ${name}`);
  return findQrCodeDataErrors(OWN_ADDRESSES, kind, data).map(({ field, code }) => `${field} ${code}`);
}

t.test('a condition is known since a day, a month or a year', (t) => {
  const since = (text: string) =>
    errorsOf('MEDICAL', { name: 'Ada', conditions: [{ name: 'Asthma', since: text }] });
  for (const date of ['1971', '1971-05', '1971-05-31']) t.same(since(date), [], date);
  for (const date of ['1971-02-30', '1971-13', '71', '1971-05-31T00:00Z'])
    t.equal(since(date).length, 1, date);
  t.end();
});

t.test('an error names the required format of the field', (t) => {
  const kind = parseQrCodeKind('PET');
  t.match(kind && findQrCodeDataErrors(OWN_ADDRESSES, kind, { name: 'Rex', microchip: '12' }), [
    { field: 'data.microchip', message: /^Must match the format: \S/ },
  ]);
  t.end();
});

t.test('names each invalid field with its path and an error code', async (t) => {
  const allergies = [{ name: '', severity: 'AWFUL', coding: { system: 'SNOMED_CT' } }];
  t.same(errorsOf('PET', { name: 'x'.repeat(81), allergies, weightKg: -1, colour: 'red', neutered: 'yes' }), [
    'data.colour UNKNOWN_FIELD',
    'data.name TOO_LONG',
    'data.neutered WRONG_TYPE',
    'data.weightKg TOO_SMALL',
    'data.allergies[0].name TOO_SHORT',
    'data.allergies[0].severity NOT_ALLOWED',
    'data.allergies[0].coding.code REQUIRED',
  ]);
  t.same(errorsOf('PET', { name: 'Rex', bornOn: '2021-02-30', allergies: [] }), [
    'data.bornOn BAD_FORMAT',
    'data.allergies TOO_FEW',
  ]);
});

t.test('values are not coerced', async (t) => {
  for (const data of [
    null,
    [],
    'Rex',
    7,
    { name: 7 },
    { name: ['Rex'] },
    { name: { not: '' } },
    { name: null },
  ])
    t.equal(errorsOf('PET', data)[0]?.endsWith('WRONG_TYPE'), true, JSON.stringify(data));
  t.same(errorsOf('LOCATION', { latitude: '1', longitude: 181 }), [
    'data.latitude WRONG_TYPE',
    'data.longitude TOO_LARGE',
  ]);
});

t.test('prototype names are unknown fields', async (t) => {
  t.same(errorsOf('PET', JSON.parse('{"name":"Rex","__proto__":{"a":1},"constructor":{"prototype":1}}')), [
    'data.__proto__ UNKNOWN_FIELD',
    'data.constructor UNKNOWN_FIELD',
  ]);
});

t.test('rejects control characters, lone surrogates and blank strings in every kind', async (t) => {
  const hostile = [
    'a\0b',
    'a\u0007',
    'a\u001b[31m',
    'a\u0085',
    'a\u009f',
    'a\u007f',
    'a\rb',
    'a\ud800b',
    '  \t ',
    '',
  ];
  for (const kind of QR_CODE_KINDS) {
    const [first] = Object.entries(kind.example).filter(([, value]) => typeof value === 'string');
    if (first === undefined) continue;
    for (const text of hostile)
      t.same(
        findQrCodeDataErrors(OWN_ADDRESSES, kind, { ...kind.example, [first[0]]: text }).map(
          ({ field }) => field,
        ),
        [`data.${first[0]}`],
        `${kind.kind} ${JSON.stringify(text)}`,
      );
  }
});

t.test('single-line fields reject a line feed, free text accepts it', async (t) => {
  t.same(errorsOf('PET', { name: 'Rex\nMax' }), ['data.name BAD_FORMAT']);
  t.same(errorsOf('PET', { name: 'Rex\u2028Max' }), ['data.name BAD_FORMAT']);
  t.same(errorsOf('PET', { name: 'Rex', notes: 'Rex\n\tMax' }), []);
  t.same(errorsOf('PET', { name: '🐕‍🦺 رکس' }), []);
});

t.test('accepts only http and https URLs without credentials', async (t) => {
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt://example.com/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com',
    '//example.com',
    'example.com',
    'http://',
    'http://user:secret@example.com/',
    'http://user@example.com',
    'http://example.com\\@evil.example',
    'http://example.com/\r\nX: y',
    'http://example.com/a b',
    'http://exa mple.com',
    'http://example.com:99999/',
    'http://[::1',
    ' http://example.com',
    'http://169.254.169.254/latest',
    'http://2852039166/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    ...['http://localhost', 'http://LOCALHOST.:8080/', 'https://qr.localhost/', 'http://127.0.0.1/'],
    ...['http://127.1', 'http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.0.0.1./'],
    ...['http://①②⑦.0.0.1/', 'http://0/', 'http://0.0.0.0:3000/', 'http://[::1]/', 'http://[::]/'],
    ...['http://[::ffff:127.0.0.1]/', 'http://[0:0:0:0:0:ffff:7f00:1]/', 'http://[febf::1]/'],
    'https://example.com/\u202egpj.exe',
    `http://example.com/${'x'.repeat(2000)}`,
  ];
  for (const url of refused) {
    t.match(errorsOf('URL', { url }), [/^data\.url [A-Z_]+$/], url.slice(0, 60));
    t.match(errorsOf('MEMORY_TAG', { name: 'A', links: [{ title: 'b', url }] }), [/^data\.links\[0\]\.url /]);
  }
  for (const url of [
    'https://example.com',
    'HTTP://example.com:8080/a?b=c@d#e',
    'https://müller.example/straße?q=犬',
    // A router page, a local server.
    ...['http://192.168.178.1/', 'http://10.0.0.7:8080/tour', 'http://172.16.0.1', 'http://[fd00::1]/'],
    ...['http://fritz.box/', 'http://localhost.example.com/', 'http://127.example.com/', 'http://128.0.0.1/'],
  ])
    t.same(errorsOf('URL', { url }), [], url);
  const createEncodedUrl = (letters: number) => ({ url: `https://example.com/${'犬'.repeat(letters)}` });
  t.same(errorsOf('URL', createEncodedUrl(220)), []);
  t.same(
    errorsOf('URL', createEncodedUrl(221)),
    ['data.url TOO_LONG'],
    'the limit applies to the encoded URL',
  );
});

t.test('accepts the email addresses that registration accepts', async (t) => {
  for (const [email, isAccepted] of [
    ['Ada@Example.org', true],
    ['info@b\u00fccher.example', true],
    ['info@\u4f8b\u3048.jp', true],
    ['info@xn--bcher-kva.xn--p1ai', true],
    [`${'a'.repeat(64)}@example.org`, true],
    [`${'a'.repeat(65)}@example.org`, false],
    ['\u212aate@example.org', false],
    ['ada@localhost', false],
    ['ada@example.1', false],
    ['ada@192.0.2.1', false],
    ['ada@-example.org', false],
    [`ada@${'b'.repeat(64)}.org`, false],
    [' ada@example.org', false],
  ] as const) {
    t.equal(errorsOf('EMAIL', { email }).length === 0, isAccepted, email);
    t.equal(normalizeEmail(email.trim()) !== null, isAccepted || email !== email.trim(), email);
  }
});

t.test('accepts phone numbers in the usual notations', async (t) => {
  for (const phone of [
    '+49 170 1234567',
    '110',
    '(030) 123-45.67',
    '+49 (0)30/12345',
    '0049 30 12345',
    '+49 170 12;ext=3',
    '٠١٢٣٤',
  ])
    t.same(errorsOf('PHONE', { phone }), [], phone);
  for (const phone of ['12', '+', 'call me', '1234567890123456', '++49170123'])
    t.same(errorsOf('PHONE', { phone }).length, 1, phone);
});

t.test('an error of a rule about several fields names the invalid field', async (t) => {
  t.same(errorsOf('MEMORY_TAG', { name: 'A', bornOn: '2000-01-02', diedOn: '2000-01-01' }), [
    'data.diedOn OUT_OF_RANGE',
  ]);
  const event = { startsAt: '2027-01-01T10:00:00Z', endsAt: '2027-01-01T10:30:00+01:00' };
  t.same(errorsOf('EVENT', event), ['data.endsAt OUT_OF_RANGE']);
  t.same(errorsOf('EVENT', { startsAt: '0000-01-01T00:00:00+02:00' }), ['data.startsAt OUT_OF_RANGE']);
  t.same(errorsOf('EVENT', { startsAt: '2027-01-01 10:00' }), ['data.startsAt BAD_FORMAT']);
  t.same(errorsOf('WIFI', { ssid: '犬'.repeat(11) }), ['data.ssid TOO_LONG']);
  t.same(errorsOf('WIFI', { ssid: 'a', password: 'short' }), ['data.password TOO_SHORT']);
  t.same(errorsOf('WIFI', { ssid: 'a', security: 'WPA' }), ['data.password REQUIRED']);
  t.same(errorsOf('WIFI', { ssid: 'a', security: 'NONE', password: 'x' }), ['data.password NOT_ALLOWED']);
  t.same(errorsOf('WIFI', { ssid: 'a', security: 'WEP', password: 'abcd' }), ['data.password BAD_FORMAT']);
  t.same(errorsOf('WIFI', { ssid: 'a', password: 'g'.repeat(64) }), ['data.password BAD_FORMAT']);
});

t.test('no error message or path reveals the value', async (t) => {
  const secret = 'Zq7-secret';
  for (const kind of QR_CODE_KINDS) {
    const data = Object.fromEntries(
      Object.keys(kind.schema.properties).map((field) => [field, [`${secret}\0`]]),
    );
    const errors = findQrCodeDataErrors(OWN_ADDRESSES, kind, data);
    t.not(errors.length, 0);
    t.notMatch(JSON.stringify(errors), secret, kind.kind);
  }
  t.notMatch(errorsOf('PET', { name: 'Rex', 'a\n\u001b[31m<b>': 1 })[0], /[^\w.? []/);
});

t.test('returns at most 50 errors for thousands of invalid fields', async (t) => {
  const data = { name: 'Rex', allergies: Array.from({ length: 5000 }, () => ({ name: 1, x: 2 })) };
  t.ok(errorsOf('PET', data).length <= 50);
});

t.test('a code leads to no page of a code of this service, however its address is written', async (t) => {
  const id = '6a1f00000000000000000001';
  const kind = parseQrCodeKind('URL');
  const errorsAt = (url: string, publicBaseUrl = OWN_ADDRESSES.publicBaseUrl, codeId?: string) =>
    kind &&
    findQrCodeDataErrors({ ...OWN_ADDRESSES, publicBaseUrl, ...(codeId && { codeId }) }, kind, { url }).map(
      ({ field, code }) => `${field} ${code}`,
    );
  for (const url of [
    `https://qr.example.com/tags/s/${id}`,
    `http://qr.example.com/tags/s/${id}/`,
    `HTTPS://QR.Example.COM.:443/tags/s/${id}?lang=de#answer`,
    `https://qr.example.com:8443/tags//s///${id}`,
    `https://qr.example.com/tags/./x/../s/${id}/pin`,
    `https://qr.example.com/tags/%73/%36${id.slice(1)}`,
    `https://qr.example.com/tags%2Fs%2F${id}`,
    `https://%71r.example.com/s/${id.toUpperCase()}`,
    `https://ｑｒ.example.com/s/${id}`,
    `https://app.example.com/s/${id}/documents/${id}`,
    `https://qr.example.com/tags/s/o/${id}.token`,
    `https://qr.example.com/tags/s/test/token`,
  ])
    t.same(errorsAt(url), ['data.url NOT_ALLOWED'], url);
  for (const [base, url] of [
    ['https://münchen.example', `https://xn--mnchen-3ya.example/s/${id}`],
    ['https://xn--mnchen-3ya.example', `https://MÜNCHEN.example/s/${id}`],
    ['http://192.0.2.7:8080', `http://3221225991/s/${id}`],
    ['http://192.0.2.7:8080', `http://[::ffff:192.0.2.7]:8080/s/${id}`],
    ['http://[2001:db8::7]', `http://[2001:0DB8:0:0:0:0:0:7]/s/${id}`],
  ] as const)
    t.same(errorsAt(url, base), ['data.url NOT_ALLOWED'], url);
  t.same(errorsAt(`https://alias.example.net/s/${id}`, undefined, id), ['data.url NOT_ALLOWED']);
  for (const url of [
    `https://alias.example.net/s/${id}`,
    'https://qr.example.com/tags',
    'https://qr.example.com/menu/s/today',
    `https://qr.example.com/tags/s/d/${id}`,
    `https://other.example/?next=https://qr.example.com/tags/s/${id}`,
    `https://sub.qr.example.com/s/${id}`,
  ])
    t.same(errorsAt(url), [], url);
});
