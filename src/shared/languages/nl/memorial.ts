import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Geboren',
  died: 'Overleden',
  storyTitle: 'Het verhaal van een leven',
  storyMore: 'Het hele verhaal lezen',
  storyPart: 'Deel {part} van {count}',
  storyNext: 'Verder lezen',
  storyBefore: 'Vorig deel',
  backToPage: 'Terug naar de pagina',
  placesTitle: 'Plaatsen',
  placeKinds: {
    BIRTH: 'Geboorteplaats',
    HOME: 'Thuis',
    DEATH: 'Plaats van overlijden',
    GRAVE: 'Laatste rustplaats',
  },
  pictureMissing: 'Foto {number} ontbreekt hier: die kon niet worden gelezen toen deze pagina werd gemaakt.',
  guestBookTitle: 'Gastenboek',
  guestBookMore: 'Alle berichten',
  guestBookOlder: 'Oudere berichten',
  guestBookNameless: 'Iemand op bezoek',
  signTitle: 'In het gastenboek schrijven',
  signText:
    'De familie leest eerst wat u schrijft. Als zij akkoord gaat, kan iedereen die hier komt het lezen.',
  signLabel: 'Uw bericht',
  signEmpty: 'Schrijf alstublieft iets. Er is nog niets verzonden.',
  signClosed: 'Er is niets verzonden. Dit gastenboek neemt geen berichten aan.',
  signDone: 'Dank u wel. Uw bericht is hier te lezen zodra de familie akkoord gaat.',
};
