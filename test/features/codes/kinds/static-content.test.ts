import { parseQrCodeKind, QR_CODE_KINDS } from '../../../../src/features/codes/kinds/all-kinds.ts';
import { drawScannableQrImage } from '../../../../src/platform/qr-image/draw-scannable.ts';
import { readWithJsqr } from '../../../platform/qr-image/read-with-jsqr.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';
import { createDataArbitrary } from './arbitrary-data.ts';

function contentOf(name: string, data: Record<string, unknown>, title = 'Title'): string | null | undefined {
  return parseQrCodeKind(name)?.toStaticContent(data, title);
}

t.test('escapes every special character of a Wi-Fi code', async (t) => {
  t.equal(
    contentOf('WIFI', { ssid: 'a;b:c,d"e\\f', password: ';P:12345', hidden: true }),
    'WIFI:T:WPA;S:a\\;b\\:c\\,d\\"e\\\\f;P:\\;P\\:12345;H:true;;',
  );
  t.equal(contentOf('WIFI', { ssid: 'open' }), 'WIFI:T:nopass;S:open;;');
  t.equal(contentOf('WIFI', { password: 'no name, no network' }), null);
});

t.test('a business card is a vCard 3.0 whose fields cannot add lines', async (t) => {
  const card = contentOf('VCARD', {
    name: 'A;B,C\\D',
    phone: '+49 (0)30 12-34',
    notes: 'one\nEND:VCARD\nTEL:666',
    address: { city: 'Bonn', country: 'DE' },
  });
  t.same(card?.split('\r\n'), [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:A\\;B\\,C\\\\D;;;;',
    'FN:A\\;B\\,C\\\\D',
    'TEL;TYPE=VOICE:+493012' + '34',
    'ADR:;;;Bonn;;;DE',
    'NOTE:one\\nEND:VCARD\\nTEL:666',
    'END:VCARD',
  ]);
  t.match(contentOf('VCARD', { phone: '110' }), 'FN:110', 'a card always has a name');
  const numbers = { phone: '+1 212 555 0123 ext. 4567', mobile: '001 44 20 7946 0958' };
  const lines = contentOf('VCARD', numbers)?.split('\r\n') ?? [];
  t.same(
    lines.filter((line) => line.startsWith('TEL')),
    ['TEL;TYPE=CELL:00144207946' + '0958', 'TEL;TYPE=VOICE:+12125550123\\,4567'],
  );
  t.equal(contentOf('PHONE', numbers), 'tel:+12125550123;ext=4567');
  t.equal(contentOf('SMS', numbers), 'SMSTO:+12125550123:');
});

t.test('mail, phone, SMS, location, URL and text use the formats that phones understand', async (t) => {
  t.equal(
    contentOf('EMAIL', { email: 'a+b@example.com', subject: 'ä & b?', body: 'x\ny' }),
    'mailto:a%2Bb@example.com?subject=%C3%A4%20%26%20b%3F&body=x%0D%0Ay',
  );
  t.equal(contentOf('EMAIL', { email: 'a@example.com' }), 'mailto:a@example.com');
  t.equal(contentOf('PHONE', { phone: '0049 170 12345' }), 'tel:+4917012345');
  t.equal(contentOf('SMS', { phone: '+49 170 12345', message: 'Hi: yes' }), 'SMSTO:+4917012345:Hi: yes');
  t.equal(contentOf('LOCATION', { latitude: -0.00000001, longitude: 1e-7 }), 'geo:0,0.0000001');
  t.equal(contentOf('URL', { url: 'https://example.com/a?b=c#d' }), 'https://example.com/a?b=c#d');
  t.equal(contentOf('TEXT', { text: 'a\nb' }), 'a\nb');
});

t.test('an event is a VEVENT in a VCALENDAR, with the title of the code if it has no name', async (t) => {
  const timed = contentOf(
    'EVENT',
    { startsAt: '2027-06-12T18:00:00+02:00', description: 'a\nEND:VEVENT' },
    'Party; big',
  );
  t.match(timed, /^BEGIN:VCALENDAR\r\n[\s\S]*\r\nDTSTART:20270612T160000Z\r\nSUMMARY:Party\\; big\r\n/);
  t.match(timed, '\r\nDESCRIPTION:a\\nEND:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR');
  const days = contentOf('EVENT', {
    startsAt: '2027-12-31T00:00:00+01:00',
    endsAt: '2027-12-31T23:00:00+01:00',
    allDay: true,
  });
  t.match(days, 'DTSTART;VALUE=DATE:20271231\r\nDTEND;VALUE=DATE:20280101');
  t.equal(contentOf('EVENT', { name: 'when?' }), null);
});

t.test('a profile is a short text card', async (t) => {
  t.equal(
    contentOf('PET', {
      name: 'Rex',
      neutered: true,
      allergies: [{ name: 'Oats', severity: 'MILD' }, { name: 'Rye' }],
    }),
    'Pet: Rex\nAllergies: Oats, MILD; Rye\nNeutered: yes',
  );
  t.equal(contentOf('MEMORY_TAG', { epitaph: 'She sang.' }), 'In memory of\nEpitaph: She sang.');
});

t.test('there is nothing to print without public fields', async (t) => {
  for (const kind of QR_CODE_KINDS)
    t.equal(kind.toStaticContent({}, 'A title is not content'), null, kind.kind);
});

for (const kind of QR_CODE_KINDS)
  t.test(`any valid data of kind ${kind.kind} reads back byte for byte with two decoders`, async (t) => {
    let read = 0;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(createDataArbitrary(kind), async (data) => {
        const content = kind.toStaticContent(data, 'Grüße 犬');
        fc.pre(content !== null && Buffer.byteLength(content) <= 1500);
        if (content === null) return;
        const { png } = await drawScannableQrImage(content);
        count += 1;
        const decoded = await readWithJsqr(png);
        if (decoded !== null) read += 1;
        if (decoded !== null && decoded !== content) throw new Error('jsqr read something else');
      }),
      { numRuns: 12 },
    );
    t.ok(read > count / 2, `jsqr found ${read} of ${count}`);
  });
