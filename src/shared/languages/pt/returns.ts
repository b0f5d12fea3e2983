export const returns = {
  paid: {
    title: 'Obrigado',
    text: 'O seu pagamento está sendo confirmado, o que leva um momento. Avisaremos assim que o seu plano estiver pronto. Você pode fechar esta página.',
  },
  left: {
    title: 'Nada foi comprado',
    text: 'Você saiu da página sem pagar e nada foi cobrado. Você pode fechar esta página.',
  },
  changed: {
    title: 'Você voltou',
    text: 'As suas alterações foram salvas. Você pode fechar esta página.',
  },
};
