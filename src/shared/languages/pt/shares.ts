import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'Um documento para você',
  text: 'Alguém compartilhou este documento com você e vê quando ele é aberto.',
  passcodeText: 'Digite o código de acesso que você recebeu.',
  passcode: 'Código de acesso',
  passcodeWrong: 'O código de acesso está errado.',
  passcodeBusy: 'Há muitas tentativas de código neste momento. Espere alguns segundos e tente de novo.',
  views: { one: 'Ainda pode ser aberto {count} vez.', other: 'Ainda pode ser aberto {count} vezes.' },
  until: 'Pode ser aberto até {time}.',
  openedTitle: 'O documento está sendo salvo',
  openedText:
    'Procure-o nos seus downloads. Se não estiver lá, aperte o botão. Ele funciona por alguns minutos.',
  stale: 'Esta página ficou aberta muito tempo. Aperte o botão outra vez, por favor.',
  goneText: 'Este link não existe ou foi desativado. Confira se você tem o link inteiro.',
  expiredTitle: 'Este link expirou',
  expiredText: 'Ele não abre mais nada. Peça um novo a quem o enviou.',
  usedTitle: 'Este link já foi usado',
  usedText: 'Ele só podia ser aberto um número limitado de vezes. Peça um novo a quem o enviou.',
  pasteTitle: 'Abrir um documento compartilhado',
  pasteText: 'Cole o link inteiro que você recebeu.',
  pasteLabel: 'Link',
  pasteButton: 'Continuar',
  sectionTitle: 'Documentos para abrir',
  unnamed: 'Um documento',
};
