import { Type } from 'typebox';
import { html } from '../../shared/html.ts';

/** What mail programs post to stop mails (RFC 8058). */
export const OneClickBody = Type.Object({ 'List-Unsubscribe': Type.Literal('One-Click') });

/** The same in a form of a page. */
export const ONE_CLICK_FIELD = html`<input type="hidden" name="List-Unsubscribe" value="One-Click">`;
