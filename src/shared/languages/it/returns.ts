export const returns = {
  paid: {
    title: 'Grazie',
    text: 'Il suo pagamento è in fase di conferma, ci vuole un momento. La avviseremo appena il suo piano sarà pronto. Può chiudere questa pagina.',
  },
  left: {
    title: 'Non è stato acquistato nulla',
    text: 'Ha lasciato la pagina senza pagare e nulla è stato addebitato. Può chiudere questa pagina.',
  },
  changed: {
    title: 'Operazione conclusa',
    text: 'Le sue modifiche sono salvate. Può chiudere questa pagina.',
  },
};
