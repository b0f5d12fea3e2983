import { isPhone, toContactNumber, toMessageNumber, toTelUri } from '../../src/shared/phone.ts';
import { t } from '../tap.ts';

t.test('a number is read in the notations that people paste', async (t) => {
  for (const [phone, uri] of [
    ['+49 (0)170 1234567', 'tel:+491701234567'],
    ['0049 170 1234567', 'tel:+491701234567'],
    ['+44 (0)20 7946 0958', 'tel:+442079460958'],
    ['+39 (0)6 1234 5678', 'tel:+390612345678'],
    ['+39 06 12345678', 'tel:+390612345678'],
    ['+378 (0549) 886377', 'tel:+3780549886377'],
    ['+49\u00a030\u202f1234567', 'tel:+49301234567'],
    ['\u202a+49 30 1234567\u202c', 'tel:+49301234567'],
    ['+49 30\u20131234567', 'tel:+49301234567'],
    ['tel:+49-30-1234567', 'tel:+49301234567'],
    ['TEL:+49-30-1234567;ext=12', 'tel:+49301234567;ext=12'],
    ['+1 212 555 0123 ext. 45', 'tel:+12125550123;ext=45'],
    ['+1 212 555 0123 x45', 'tel:+12125550123;ext=45'],
    [
      '\uff0b\uff14\uff19\u3000\uff13\uff10\u3000\uff11\uff12\uff13\uff14\uff15\uff16\uff17',
      'tel:+49301234567',
    ],
    ['+\u0664\u0669 \u0663\u0660 \u0661\u0662\u0663\u0664\u0665\u0666\u0667', 'tel:+49301234567'],
    ['+\u0967 212 555 0123', 'tel:+12125550123'],
    ['(030) 123-45.67', 'tel:0301234567'],
    ['110', 'tel:110'],
    ['(+49) 30 1234567', 'tel:+49301234567'],
    ['(0049) 30 1234567', 'tel:+49301234567'],
    ['+1 212 555 0123 extension 4567', 'tel:+12125550123;ext=4567'],
    ['+1 212 555 0123,4567', 'tel:+12125550123;ext=4567'],
    ['+12125550123;4567', 'tel:+12125550123;ext=4567'],
  ] as const)
    t.equal(toTelUri(phone), uri, JSON.stringify(phone));
});

t.test('00 is read as + only where it can be nothing else', async (t) => {
  for (const [phone, uri] of [
    ['0044 20 7946 0958', 'tel:+442079460958'],
    ['0033 1 23 45 67 89', 'tel:+33123456789'],
    ['00212 522 433 838', 'tel:+212522433838'],
    ['001 212 555 0123', 'tel:+12125550123'],
    ['00 7 495 123 45 67', 'tel:+74951234567'],
  ] as const)
    t.equal(toTelUri(phone), uri, phone);
  for (const phone of [
    // As dialled in Hong Kong and Singapore, Australia, Korea, Nigeria, Brazil, Japan and the United States.
    '001 44 20 7946 0958',
    '001 65 6123 4567',
    '001 47 22 12 34 56',
    '001 64 9 300 1234',
    '0011 44 20 7946 0958',
    '0011 49 170 12345678',
    '00700 44 20 7946 0958',
    '009 44 20 7946 0958',
    '0015 44 20 7946 0958',
    '010 44 20 7946 0958',
    '011 44 20 7946 0958',
  ])
    t.equal(toTelUri(phone), `tel:${phone.replaceAll(' ', '')}`, phone);
});

t.test('an extension is part of a contact and of a call, not of a message', async (t) => {
  const phone = '+1 212 555 0123 ext. 4567';
  t.equal(toTelUri(phone), 'tel:+12125550123;ext=4567');
  t.equal(toContactNumber(phone), '+12125550123,4567');
  t.equal(toMessageNumber(phone), '+12125550123');
  t.equal(toContactNumber('030 1234567'), '0301234567');
});

t.test('other text is no number', async (t) => {
  for (const phone of [
    '12',
    '+',
    'call me',
    '1234567890123456',
    '+1234567890123456',
    '012345678901234567890',
    '030 1234567; 654321',
    '0170 1234567,01717654321',
    '++49170123',
    '+49 170 123 45 or 46',
    'tel:',
    'ext. 12',
    '+49 30 1234567 ext. 12345678',
    `110${' '.repeat(70)}`,
    '\ufdfa'.repeat(60),
  ])
    t.notOk(isPhone(phone), JSON.stringify(phone));
});
