import { createPinLimits } from '../../../src/features/scans/index.ts';
import type { FieldCipher } from '../../../src/platform/field-cipher.ts';
import { t } from '../../tap.ts';

const cipher = {
  hash: (...parts: string[]) => Buffer.from(parts.join(' ')),
} as unknown as FieldCipher;

t.test('attempts of a PIN: 5 in 15 minutes of a network, 20 an hour and 60 a day of a code', async (t) => {
  for (const secret of ['pin', 'passcode'] as const) {
    const { shared, ofRecord, reserved, patient } = createPinLimits(cipher, secret, 'record', '203.0.113.0');
    const numbers = (limits: typeof shared) =>
      limits.map(({ key, allowed, windowSeconds }) => [key.split(':')[0], allowed, windowSeconds]);
    const ofNetwork = [secret, 5, 900];
    const networkReserve = [`${secret}-network-day`, 1, 86_400];
    const reserveDay = [`${secret}-reserve-day`, 100, 86_400];
    t.same(numbers(ofRecord), [
      [`${secret}-hour`, 20, 3_600],
      [`${secret}-day`, 60, 86_400],
    ]);
    t.same(numbers(shared), [ofNetwork, [`${secret}-network-day`, 20, 86_400], ...numbers(ofRecord)]);
    t.same(numbers(reserved), [ofNetwork, networkReserve, reserveDay, [`${secret}-reserve-hour`, 20, 3_600]]);
    t.same(numbers(patient), [ofNetwork, networkReserve, reserveDay]);
  }
});

t.test('networks and codes have attempts of their own', async (t) => {
  const keysOf = (record: string, network: string) =>
    createPinLimits(cipher, 'pin', record, `192.0.${network}.1`).shared.map(({ key }) => key);
  const [one, otherNetwork, otherCode] = [keysOf('a', '1'), keysOf('a', '2'), keysOf('b', '1')];
  t.equal(one.filter((key) => otherNetwork.includes(key)).length, 2, 'the hour and the day of the code');
  t.equal(one.filter((key) => otherCode.includes(key)).length, 0);
});
