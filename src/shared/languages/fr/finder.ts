/** The pages of codes, for whoever scans one; `{name}` stands for a value. */
export const finder = {
  cardTitle: 'Un code pour la personne qui le trouve',
  cardText: 'Ouvrez-le pour voir ce que le propriétaire vous dit et pour lui écrire.',
  languages: 'Autres langues',
  pageTitle: '{kind} : ce que vous dit le propriétaire',
  nothingPublic: 'Le propriétaire n’affiche rien publiquement.',
  shortened: 'Une partie du contenu est trop longue pour cette page et n’est pas affichée.',
  yes: 'Oui',
  no: 'Non',

  lostTitle: 'Signalé comme perdu',
  lostText: 'Le propriétaire le recherche. Merci de votre aide.',
  reward: 'Récompense : {reward}',

  onwardText: 'Ce code mène vers {host}.',
  onwardLink: 'Aller vers {host}',
  mapLink: 'Voir sur la carte',

  call: 'Appeler {name}',
  wifiText: 'Pour connecter un autre téléphone au réseau, scannez ce code avec lui :',

  pinTitle: 'Plus avec un code PIN',
  pinText: 'Avec le code PIN, vous voyez plus d’informations.',
  pinLabel: 'Code PIN, 4 à 12 chiffres',
  pinButton: 'Afficher plus',
  pinWrong: 'Le code PIN est incorrect.',
  pinTries: { one: 'Il vous reste {count} essai.', other: 'Il vous reste {count} essais.' },
  pinShape: 'Un code PIN a 4 à 12 chiffres.',
  pinNoTries: 'Il ne vous reste aucun essai.',
  pinTooMany: 'Trop d’essais.',
  pinBusy:
    'D’autres personnes saisissent le code PIN en ce moment. Attendez quelques secondes, puis réessayez.',
  waitMinutes: {
    one: 'Attendez {count} minute, puis réessayez.',
    other: 'Attendez {count} minutes, puis réessayez.',
  },
  waitHours: {
    one: 'Attendez {count} heure, puis réessayez.',
    other: 'Attendez {count} heures, puis réessayez.',
  },
  pinStale: 'Cette page est restée ouverte longtemps. Veuillez saisir de nouveau le code PIN.',
  pinLater:
    'Vous avez ouvert cette page de nombreuses fois. Attendez une minute et rouvrez-la pour saisir le code PIN.',

  shareTitle: 'Indiquer où vous êtes',
  shareText: 'Le propriétaire voit exactement ce que vous indiquez ici, et personne d’autre.',
  shareLabel: 'Un lieu décrit à votre façon, ou un lien de la carte de votre téléphone',
  shareButton: 'Envoyer ce lieu',
  sharePosition: 'Utiliser la position de ce téléphone',
  sharePositionFailed: 'La position de ce téléphone est introuvable. Écrivez plutôt le lieu.',
  shareEmpty: 'Écrivez un lieu ou collez le lien d’une carte.',
  shareDone: 'Merci. Le propriétaire voit maintenant où vous êtes.',
  shareTooMany: 'Vous avez indiqué de nombreux lieux. Le propriétaire les a tous reçus.',

  unclaimedTitle: 'Ce code est encore libre',
  unclaimedText: 'Ce code ne contient encore rien.',

  unknownTitle: 'Il n’y a rien ici',
  unknownText: 'Ce code n’existe pas ou a été supprimé. Vérifiez l’adresse ou scannez de nouveau le code.',
  pausedTitle: 'Désactivé pour le moment',
  pausedText: 'Le propriétaire de ce code l’a désactivé. Il fonctionnera peut-être de nouveau plus tard.',
  expiredTitle: 'Ce code a expiré',
  expiredText: 'Le propriétaire de ce code l’a laissé expirer. Il n’affiche plus rien.',
  closedWrite: 'Vous pouvez quand même écrire au propriétaire.',
  limitedTitle: 'Trop de demandes',
  limitedText: 'Attendez une minute, puis réessayez.',
  refusedTitle: 'Cela n’a pas fonctionné',
  refusedText: 'Les données envoyées sont illisibles. Scannez de nouveau le code.',
  failedTitle: 'Indisponible pour le moment',
  failedText: 'Vous n’y êtes pour rien. Réessayez dans un instant.',
  testLinkTitle: 'Ce lien a déjà servi ou a expiré',
  testLinkText: 'Un lien de test ne fonctionne qu’une fois, pendant peu de temps. Créez-en un nouveau.',
};
