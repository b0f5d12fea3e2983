import { generateAbsentId, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { startScans } from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const CARD = {
  name: 'Sofía; Núñez',
  mobile: '+34 600 123 456',
  notes: 'Line one\nLine two',
  bornOn: '1990-01-02',
};

const tokenIn = (page: TestResponse) => /name="visit" value="([^"]+)"/.exec(page.text)?.[1] ?? '';

t.test('offers what the page shows as a contact or calendar file, and nothing more', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;

  await t.test('a business card is a vCard of the visible fields', async (t) => {
    const id = await code({ kind: 'VCARD', title: 'Secret title', data: CARD });
    t.match((await call('GET', `/s/${id}?lang=de`)).text, `href="/s/${id}/contact.vcf?lang=de"`);
    const scans = await database.client.scan.count();
    const file = await call('GET', `/s/${id}/contact.vcf`);
    t.match(file, {
      status: 200,
      headers: {
        'content-type': 'text/vcard; charset=utf-8',
        'content-disposition': 'inline; filename="contact.vcf"',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      },
    });
    t.equal(
      file.text,
      [
        ...['BEGIN:VCARD', 'VERSION:3.0', 'N:Sofía\\; Núñez;;;;', 'FN:Sofía\\; Núñez'],
        ...['TEL;TYPE=CELL:+34600123456', 'NOTE:Line one\\nLine two', 'END:VCARD', ''],
      ].join('\r\n'),
    );
    t.equal(await database.client.scan.count(), scans, 'a download is not a scan');
    t.equal((await call('GET', `/s/${id}/event.ics`)).status, 404);
    const nameless = { name: 'PRIVATE', mobile: 'PUBLIC' };
    const other = await code({ kind: 'VCARD', title: 'Secret title', data: CARD, visibility: nameless });
    const contactFile = (await call('GET', `/s/${other}/contact.vcf?lang=fr`)).text;
    t.notMatch(contactFile, /Secret|Núñez/);
    t.match(contactFile, 'TEL;TYPE=CELL:+34600123456');
  });

  await t.test('only the visit that entered the PIN gets the PIN fields', async (t) => {
    const id = await code({ kind: 'VCARD', title: 'Card', data: CARD, pin: '0047' });
    const page = await call('GET', `/s/${id}`);
    const visit = tokenIn(page);
    const ask = (token: string) =>
      call('POST', `/s/${id}/contact.vcf`, { body: `visit=${encodeURIComponent(token)}`, headers: FORM });
    t.match(page.text, `href="/s/${id}/contact.vcf?lang=en"`);
    for (const locked of [await call('GET', `/s/${id}/contact.vcf`), await ask(visit), await ask('x')]) {
      t.equal(locked.status, 200);
      t.match(locked.text, 'FN:Sofía');
      t.notMatch(locked.text, 'TEL');
    }
    const open = await call('POST', `/s/${id}/pin`, { body: `visit=${visit}&pin=0047`, headers: FORM });
    const form = `<form method="post" action="/s/${id}/contact.vcf?lang=en"><input type="hidden" name="visit"`;
    t.match(open.text, form);
    t.match((await ask(tokenIn(open))).text, 'TEL;TYPE=CELL:+34600123456');
    t.notMatch((await call('GET', `/s/${id}/contact.vcf`)).text, 'TEL');
    const foreign = await code({ kind: 'VCARD', title: 'Card', data: CARD, pin: '0047' });
    const stolen = await call('POST', `/s/${foreign}/contact.vcf`, {
      body: `visit=${encodeURIComponent(tokenIn(open))}`,
      headers: FORM,
    });
    t.notMatch(stolen.text, 'TEL');
  });

  await t.test('an event is a calendar file that keeps its UID', async (t) => {
    const data = { startsAt: '2027-06-12T18:00:00+02:00', place: 'Berlin, Mitte' };
    const id = await code({ kind: 'EVENT', title: 'Secret title', data });
    t.match((await call('GET', `/s/${id}`)).text, `href="/s/${id}/event.ics?lang=en"`);
    const file = await call('GET', `/s/${id}/event.ics?lang=de`);
    t.match(file, { status: 200, headers: { 'content-type': 'text/calendar; charset=utf-8' } });
    t.match(file.text, 'DTSTART:20270612T160000Z\r\nSUMMARY:Termin\r\nLOCATION:Berlin\\, Mitte\r\n');
    t.notOk(file.text.includes('Secret'));
    t.match(file.text, `UID:${id}\r\n`);
    const later = { data: { ...data, startsAt: '2027-06-13T18:00:00+02:00' } };
    await call('PATCH', `/api/qrcodes/${id}`, { token: owner.accessToken, body: later });
    const moved = (await call('GET', `/s/${id}/event.ics`)).text;
    t.match(moved, 'DTSTART:20270613');
    t.ok(moved.includes(`UID:${id}\r\n`), 'a changed event keeps its UID');
    const earlier = { data: { ...data, startsAt: '2027-06-01T18:00:00+02:00', place: 'Potsdam' } };
    await call('PATCH', `/api/qrcodes/${id}`, { token: owner.accessToken, body: earlier });
    const revisions = [];
    for (const text of [file.text, moved, (await call('GET', `/s/${id}/event.ics`)).text]) {
      const find = (name: string) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(text)?.[1] ?? '';
      t.equal(find('LAST-MODIFIED'), find('DTSTAMP'));
      revisions.push({ sequence: Number(find('SEQUENCE')), stamp: find('DTSTAMP') });
    }
    const { updatedAt, version } = (await call('GET', `/api/qrcodes/${id}`, { token: owner.accessToken }))
      .body;
    t.same(
      revisions.map(({ sequence }) => sequence),
      [version - 2, version - 1, version],
    );
    const stamps = revisions.map(({ stamp }) => stamp);
    t.same(stamps, stamps.toSorted(), 'moved to an earlier day, too, its stamp only grows');
    t.equal(stamps.at(-1), updatedAt.replace(/\.\d{3}|[-:]/g, ''));
    const hidden = { startsAt: 'PRIVATE' };
    const empty = await code({ kind: 'EVENT', title: 'Secret title', data, visibility: hidden });
    t.notOk((await call('GET', `/s/${empty}`)).text.includes('event.ics'));
    t.equal((await call('GET', `/s/${empty}/event.ics`)).status, 404);
  });

  await t.test('a paused, unsuitable or absent code has no file', async (t) => {
    const paused = await code({ kind: 'VCARD', title: 'Card', data: CARD });
    await call('PATCH', `/api/qrcodes/${paused}`, { token: owner.accessToken, body: { status: 'PAUSED' } });
    for (const [id, status] of [
      [paused, 410],
      [await code(), 404],
      [generateAbsentId(), 404],
      ['x', 404],
    ] as const) {
      const answer = await call('GET', `/s/${id}/contact.vcf`);
      t.equal(answer.status, status, id);
      t.match(answer.headers, { 'content-type': 'text/html; charset=utf-8' });
      t.notMatch(answer.text, 'Sofía');
    }
  });
});
