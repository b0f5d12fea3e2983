import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Naissance',
  died: 'Décès',
  storyTitle: 'L’histoire d’une vie',
  storyMore: 'Lire toute l’histoire',
  storyPart: 'Partie {part} sur {count}',
  storyNext: 'Lire la suite',
  storyBefore: 'Partie précédente',
  backToPage: 'Retour à la page',
  placesTitle: 'Lieux',
  placeKinds: {
    BIRTH: 'Lieu de naissance',
    HOME: 'Domicile',
    DEATH: 'Lieu de décès',
    GRAVE: 'Dernière demeure',
  },
  pictureMissing: 'L’image {number} manque ici : elle n’a pas pu être lue quand cette page a été créée.',
  guestBookTitle: 'Livre d’or',
  guestBookMore: 'Tous les messages',
  guestBookOlder: 'Messages plus anciens',
  guestBookNameless: 'Une personne de passage',
  signTitle: 'Écrire dans le livre d’or',
  signText:
    'La famille lit d’abord ce que vous écrivez. Avec son accord, toutes les personnes qui viennent ici pourront le lire.',
  signLabel: 'Votre message',
  signEmpty: 'Veuillez écrire quelque chose. Rien n’a encore été envoyé.',
  signClosed: 'Rien n’a été envoyé. Ce livre d’or n’accepte pas de messages.',
  signDone: 'Merci. Votre message pourra être lu ici dès que la famille aura donné son accord.',
};
