import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { walkPages } from './walk-pages.ts';

t.test(
  'every page of staff and before a sign-in is accessible, narrow and small',
  { skip: BROWSER_SKIP_REASON },
  async (t) => walkPages(t, (route) => !route.includes('/:accountId')),
);
