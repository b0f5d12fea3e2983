import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Un document pour vous',
  text: 'Quelqu’un a partagé ce document avec vous et voit quand il est ouvert.',
  passcodeText: 'Saisissez le code d’accès qui vous a été donné.',
  passcode: 'Code d’accès',
  passcodeWrong: 'Le code d’accès est incorrect.',
  passcodeBusy:
    'D’autres personnes saisissent le code d’accès en ce moment. Attendez quelques secondes, puis réessayez.',
  views: {
    one: 'Il peut encore être ouvert {count} fois.',
    other: 'Il peut encore être ouvert {count} fois.',
  },
  until: 'Il peut être ouvert jusqu’au {time}.',
  openedTitle: 'Le document est en cours d’enregistrement',
  openedText:
    'Vous le trouverez dans vos téléchargements. S’il n’y est pas, appuyez sur le bouton. Il fonctionne pendant quelques minutes.',
  stale: 'Cette page est restée ouverte longtemps. Veuillez appuyer de nouveau sur le bouton.',
  goneText: 'Ce lien n’existe pas ou a été désactivé. Vérifiez que vous avez le lien en entier.',
  expiredTitle: 'Ce lien a expiré',
  expiredText: 'Il n’ouvre plus rien. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  usedTitle: 'Ce lien est épuisé',
  usedText:
    'Il ne pouvait être ouvert qu’un nombre limité de fois. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  pasteTitle: 'Ouvrir un document partagé',
  pasteText: 'Collez en entier le lien que vous avez reçu.',
  pasteLabel: 'Lien',
  pasteButton: 'Continuer',
  sectionTitle: 'Documents à ouvrir',
  unnamed: 'Un document',
};
