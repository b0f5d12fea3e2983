import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'Nascimento',
  died: 'Falecimento',
  storyTitle: 'A história de uma vida',
  storyMore: 'Ler a história completa',
  storyPart: 'Parte {part} de {count}',
  storyNext: 'Continuar a ler',
  storyBefore: 'Parte anterior',
  backToPage: 'Voltar à página',
  placesTitle: 'Lugares',
  placeKinds: {
    BIRTH: 'Local de nascimento',
    HOME: 'Casa',
    DEATH: 'Local de falecimento',
    GRAVE: 'Local de repouso',
  },
  guestBookTitle: 'Livro de visitas',
  guestBookMore: 'Todas as mensagens',
  guestBookOlder: 'Mensagens mais antigas',
  guestBookNameless: 'Alguém de visita',
  signTitle: 'Escrever no livro de visitas',
  signText: 'A família lê primeiro o que você escreve. Se concordar, quem vier aqui poderá ler.',
  signLabel: 'Sua mensagem',
  signEmpty: 'Escreva algo, por favor. Ainda não foi enviado nada.',
  signClosed: 'Não foi enviado nada. Este livro de visitas não aceita mensagens.',
  signDone: 'Agradecemos a mensagem. Ela poderá ser lida aqui assim que a família concordar.',
};
