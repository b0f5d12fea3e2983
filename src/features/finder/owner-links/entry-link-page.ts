import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { translateNotification } from '../../../shared/i18n/notification-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { findEditableMemoryTag, findGuestBookEntry, GUEST_BOOK_ENTRY } from '../../memory-tags/index.ts';
import type { OwnerLinkSubject } from '../../notifications/index.ts';
import type { FinderServices } from '../finder-services.ts';
import { renderMoment } from '../formatters.ts';
import type { OwnerLinkAccess } from './owner-link-access.ts';
import { renderActionForm, renderLinkFooter } from './owner-link-parts.ts';

/** Create the page of a guest book entry with the buttons that decide it; null when it is gone. @throws DATA_INTEGRITY */
export async function createEntryLinkPage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'> & {
    applicationUrl: string | null;
  },
  access: OwnerLinkAccess,
  { memoryTagId, entryId }: Extract<OwnerLinkSubject, { name: 'entry' }>,
  locale: Locale,
): Promise<{ body: Html } | null> {
  const { client } = services.database;
  const entry = (await findEditableMemoryTag(client, access.accountId, memoryTagId))
    ? await findGuestBookEntry(client, memoryTagId, entryId)
    : null;
  if (!entry) return null;
  const { name, message } = GUEST_BOOK_ENTRY.decrypt(services.fieldCipher, entry);
  const isApproved = entry.state === 'APPROVED';
  const isHidden = entry.state === 'HIDDEN';
  const state = isApproved
    ? t(locale, 'ownerLink.entryApproved')
    : t(locale, isHidden ? 'ownerLink.entryHidden' : 'ownerLink.entryPending');
  // Nobody sees an entry that waits.
  const hideLabel = isApproved ? t(locale, 'ownerLink.hideButton') : t(locale, 'ownerLink.rejectButton');
  return {
    body: html`<h1>${translateNotification(locale, access).title}</h1>
<ol class="messages"><li><p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi> · ${renderMoment(entry.createdAt, access.owner.timeZone, locale)}</p>
<p class="text">${message}</p></li></ol>
<section><div${FORM_RESULT_HTML_ATTRIBUTES}><h2>${state}</h2></div>
${access.canEdit && !isApproved && renderActionForm(services, access, 'approve', t(locale, 'ownerLink.approveButton'), locale)}${access.canEdit && !isHidden && renderActionForm(services, access, 'hide', hideLabel, locale, true)}</section>
${renderLinkFooter(services, access, locale)}`,
  };
}
