import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderBadge } from '../components.ts';
import { chooseOwnerPageLocale, type OwnerPage, renderNavigationList, sendOwnerPage } from '../layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getStaffPath, listStaffEntries, type StaffEntry } from './staff-navigation.ts';

type StaffPage = Omit<OwnerPage, 'entry' | 'navigation' | 'address' | 'locale'> & {
  /** The entry of the navigation that the page belongs to. */
  entry: StaffEntry['name'];
};

/** Send a page for staff, with the way to those that their role may see and how many cases wait in each. */
export async function sendStaffPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, ...page }: StaffPage,
): Promise<FastifyReply> {
  return sendOwnerPage(services, request, reply, {
    ...page,
    navigation: await renderStaffNavigation(services, request, reply, entry),
  });
}

/** Get the path of a list for staff. */
export function getStaffEntryPath(services: OwnerPageServices, entry: StaffEntry['name']): string {
  return getStaffPath(getOwnerPagesPath(services), entry);
}

async function renderStaffNavigation(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  current: StaffEntry['name'],
): Promise<Html> {
  const locale = chooseOwnerPageLocale(request);
  const renderEntry = async ({ name, label, countOpen }: StaffEntry): Promise<Html> => {
    const count = countOpen === null ? 0 : await countOpen(services.database.client);
    return html`<li><a href="${getStaffEntryPath(services, name)}"${name === current && html` aria-current="page"`}>${t(locale, label)}${renderBadge(count, t(locale, 'app.staff.open', { count }))}</a></li>`;
  };
  const entries = await Promise.all(
    listStaffEntries(requireAuthenticatedUser(request).role).map(renderEntry),
  );
  const own = html`<li class="end"><a href="${getOwnerPagesPath(services)}">${t(locale, 'app.staff.own')}</a></li>`;
  return renderNavigationList(services, request, reply, {
    label: t(locale, 'app.staff.navigation'),
    entries,
    more: [own],
    locale,
    className: 'staff',
  });
}
