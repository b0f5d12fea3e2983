import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { listOwnQrCodes, listQuietQrCodes, QR_CODE_LIST_SORTS } from '../../codes/index.ts';
import { findLastOwnScans, listOwnScans, readOwnDashboard, readQrCodesOfScans } from '../../scans/index.ts';
import { findFirstPictures } from '../codes/first-pictures.ts';
import { readFirstSteps } from '../first-steps/first-steps.ts';
import { readUnreadConversations } from '../inbox/read-unread-conversations.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import type { NewPlace } from './home-activity.ts';
import { type HomePage, listLostCodes } from './home-page.ts';

/** Codes that the first page shows; its table has all. */
export const MAX_SHOWN_CODES = 25;

const MAX_UNREAD_CONVERSATIONS = 3;
const MAX_PLACES = 5;
/** Scans that are searched for places. */
const MAX_NEW_SCANS = 50;
const MAX_QUIET_CODES = 3;
const QUIET_MS = 180 * DAY_MS;

type ReadPart = Omit<
  HomePage,
  'accountPath' | 'visitedAt' | 'layout' | 'done' | 'token' | 'timeZone' | 'locale'
>;

/** Read what the first page of an account shows, at a cost that its size does not change. */
export async function readHomePage(
  services: OwnerPageServices,
  context: RequestContext,
  user: CurrentUser,
  visitedAt: Date,
): Promise<ReadPart> {
  const { id: accountId } = getActingAccount(user);
  const quietBefore = new Date(Date.now() - QUIET_MS);
  const [dashboard, list, quiet] = await Promise.all([
    readOwnDashboard(services.database, accountId, user.timeZone),
    listOwnQrCodes(services, context, user, {
      filter: {},
      sort: QR_CODE_LIST_SORTS['-createdAt'],
      range: { skip: 0, take: MAX_SHOWN_CODES + 1 },
      included: undefined,
    }),
    services.database.read(({ pool }) => listQuietQrCodes(pool, accountId, quietBefore, MAX_QUIET_CODES)),
  ]);
  const codes = list.rows.slice(0, MAX_SHOWN_CODES);
  const lost = listLostCodes(dashboard);
  const lostIds = lost.map(({ id }) => id);
  const hasAll = codes.length === list.total;
  const [pictures, lastScans, firstSteps, unread, places] = await Promise.all([
    findFirstPictures(services, accountId, [...codes, ...lost]),
    findLastOwnScans(services, accountId, lostIds),
    hasAll ? readFirstSteps(services, { accountId, userId: user.id }, codes) : null,
    dashboard.messages > 0 ? readUnreadConversations(services, context, user, MAX_UNREAD_CONVERSATIONS) : [],
    readNewPlaces(services, accountId, visitedAt, lostIds),
  ]);
  return {
    dashboard,
    messages: dashboard.messages,
    unread,
    places,
    quiet,
    quietSince: formatDay(quietBefore, user.timeZone),
    codes,
    total: list.total,
    pictures,
    lastScans,
    firstSteps,
  };
}

/** Read where people scanned codes since a time; lost ones have their last place anyway. */
async function readNewPlaces(
  services: OwnerPageServices,
  accountId: string,
  from: Date,
  lostIds: readonly string[],
): Promise<NewPlace[]> {
  const range = { skip: 0, take: MAX_NEW_SCANS, after: null };
  const filter = { from, classes: ['HUMAN'] };
  const { rows } = await listOwnScans(services, accountId, filter, { sort: '-scannedAt', range });
  const scans = rows.filter(
    ({ qrCodeId, city, region, country }) => (city ?? region ?? country) && !lostIds.includes(qrCodeId),
  );
  if (scans.length === 0) return [];
  const codes = await readQrCodesOfScans(services, accountId, scans);
  const places = new Map<string, NewPlace>();
  for (const scan of scans) {
    const code = codes.get(scan.qrCodeId);
    const key = JSON.stringify([scan.qrCodeId, scan.city, scan.region, scan.country]);
    if (code && code.status !== 'DELETED' && !places.has(key)) places.set(key, { scan, code });
  }
  return [...places.values()].slice(0, MAX_PLACES);
}

function formatDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(at);
}
