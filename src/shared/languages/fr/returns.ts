export const returns = {
  paid: {
    title: 'Merci',
    text: 'Votre paiement est en cours de confirmation, cela prend un instant. Nous vous préviendrons dès que votre formule sera prête. Vous pouvez fermer cette page.',
  },
  left: {
    title: 'Rien n’a été acheté',
    text: 'Vous avez quitté la page sans payer et rien n’a été débité. Vous pouvez fermer cette page.',
  },
  changed: {
    title: 'Vous êtes de retour',
    text: 'Vos modifications sont enregistrées. Vous pouvez fermer cette page.',
  },
};
