import type { CurrentUser } from '../../../platform/current-user.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { listOwnQrCodes, QR_CODE_LIST_SORTS } from '../../codes/index.ts';
import { findLastOwnScans, readOwnDashboard } from '../../scans/index.ts';
import { readFirstSteps } from '../first-steps/first-steps.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { findFirstPictures } from './first-pictures.ts';
import { type HomePage, listLostCodes } from './home-page.ts';

/** Codes that the first page shows; its table has all. */
const MAX_SHOWN_CODES = 25;

/** Read what the first page of an account shows. */
export async function readHomePage(
  services: OwnerPageServices,
  context: RequestContext,
  user: CurrentUser,
): Promise<Pick<HomePage, 'dashboard' | 'codes' | 'total' | 'pictures' | 'lastScans' | 'firstSteps'>> {
  const [dashboard, list] = await Promise.all([
    readOwnDashboard(services.database, user.id, user.timeZone),
    listOwnQrCodes(services, context, user, {
      filter: {},
      sort: QR_CODE_LIST_SORTS['-createdAt'],
      range: { skip: 0, take: MAX_SHOWN_CODES + 1 },
      included: undefined,
    }),
  ]);
  const codes = list.rows.slice(0, MAX_SHOWN_CODES);
  const lost = listLostCodes(dashboard);
  const hasAll = codes.length === list.total;
  const [pictures, lastScans, firstSteps] = await Promise.all([
    findFirstPictures(services, [...codes, ...lost]),
    findLastOwnScans(
      services,
      user.id,
      lost.map(({ id }) => id),
    ),
    hasAll ? readFirstSteps(services, user.id, codes) : null,
  ]);
  return { dashboard, codes, total: list.total, pictures, lastScans, firstSteps };
}
