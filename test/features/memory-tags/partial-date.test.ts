import { findMemoryTagDateErrors } from '../../../src/features/memory-tags/memory-tag.rules.ts';
import {
  isPartialDateBefore,
  isValidPartialDate,
  PARTIAL_DATE_PATTERN,
} from '../../../src/shared/partial-date.ts';
import { t } from '../../tap.ts';

t.test('accepts dates with reduced precision', async (t) => {
  const form = new RegExp(PARTIAL_DATE_PATTERN);
  for (const date of ['1931', '1931-05', '1931-05-17', '0001', '0001-01-01', '9999-12-31', '1582-10-10'])
    t.ok(form.test(date) && isValidPartialDate(date), date);
  for (const date of ['', '0000', '0000-01-01', '931', '19310', '1931-00', '1931-13', '1931-05-00', '1931-5'])
    t.notOk(form.test(date), date);
  for (const date of ['1931-05-32', '-1931', '1931-05-17T00:00', ' 1931', '1931-W20', '1931-137'])
    t.notOk(form.test(date), date);
  for (const date of ['1931-02-29', '1900-02-29', '1931-04-31', '2100-02-29'])
    t.ok(form.test(date) && !isValidPartialDate(date), date);
  for (const date of ['2000-02-29', '1600-02-29', '0004-02-29']) t.ok(isValidPartialDate(date), date);
});

t.test('compares dates at the precision known for both', async (t) => {
  const wrong = (bornOn: string, diedOn: string) => findMemoryTagDateErrors({ bornOn, diedOn }).length > 0;
  for (const [bornOn, diedOn] of [
    ['1931', '1931'],
    ['1931-05', '1931'],
    ['1931', '1931-01-01'],
    ['1931-05-17', '1931-05'],
    ['1931-05-17', '1931-05-17'],
    ['0099', '0100'],
    ['1931-12', '1932-01-01'],
  ] as const)
    t.notOk(wrong(bornOn, diedOn), `${bornOn} to ${diedOn}`);
  for (const [bornOn, diedOn] of [
    ['1932', '1931'],
    ['1932', '1931-12-31'],
    ['1931-05', '1931-04-30'],
    ['1931-05-17', '1931-05-16'],
    ['1931-05-17', '1931-04'],
  ] as const) {
    t.ok(wrong(bornOn, diedOn), `${bornOn} to ${diedOn}`);
    t.ok(isPartialDateBefore(diedOn, bornOn));
  }
  t.same(
    findMemoryTagDateErrors({ bornOn: '1931-02-30', diedOn: '1900-02-29' }).map(({ field }) => field),
    ['bornOn', 'diedOn'],
  );
});
