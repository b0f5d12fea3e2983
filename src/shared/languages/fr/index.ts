import type { Catalogue } from '../catalogue.ts';
import { conversation } from './conversation.ts';
import { finder } from './finder.ts';
import { mails } from './mails.ts';
import { memorial } from './memorial.ts';
import { notifications } from './notifications.ts';
import { pushes } from './pushes.ts';
import { report } from './report.ts';
import { returns } from './returns.ts';
import { shares } from './shares.ts';
import { terms } from './terms.ts';
import { words } from './words.ts';

export const fr: Catalogue = {
  finder,
  conversation,
  shares,
  memorial,
  notifications,
  mails,
  pushes,
  report,
  returns,
  terms,
  words,
};
