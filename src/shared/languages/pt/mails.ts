import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} é o seu código de confirmação',
    lines: [
      'O seu código de confirmação: {otp}',
      'Vale para o pedido de conta feito em {time}, com a senha escolhida nesse momento. Funciona uma vez, durante {minutes} minutos.',
      'Se você não fez esse pedido, ignore este e-mail e não dê o código a ninguém: quem o tiver pode abrir uma conta com o seu endereço.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} é o seu código de confirmação: escolha',
    or: '{one} ou {other}',
    choice: '{otp} para o pedido feito em {time}',
    lines: [
      'Houve vários pedidos de conta com este endereço, com senhas diferentes. Use o código do seu próprio pedido, conforme a hora:',
      'O código usado decide qual senha abre a conta. Funciona uma vez, durante {minutes} minutos.',
      'Se um pedido não é seu, não use o código dele nem o dê a ninguém: quem fez o pedido saberia a senha. Se nenhum é seu, ignore este e-mail.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Você já tem uma conta',
    lines: [
      'Alguém, talvez você, tentou criar uma conta com este endereço. Ele já tem uma conta; nada foi alterado.',
      'Se esqueceu a senha, peça uma nova na página de entrada.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Escolha uma nova senha',
    lines: [
      'Alguém, talvez você, pediu uma nova senha para este endereço. Siga este link para escolhê-la:',
      '{link}',
      'Funciona uma vez, durante {minutes} minutos. Se não foi você, ignore este e-mail; a sua senha continua a mesma.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'A sua senha foi substituída',
    lines: [
      'A sua senha foi substituída através de um link enviado para este endereço, e todas as sessões foram encerradas.',
      'Se não foi você, peça já uma nova senha.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'A sua senha foi mudada',
    lines: [
      'A sua senha foi mudada, e todas as outras sessões foram encerradas.',
      'Se não foi você, peça já uma nova senha.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Uma sessão foi encerrada por segurança',
    lines: [
      'O token de uma das suas sessões foi usado uma segunda vez, o que acontece quando alguém o copia. A sessão foi encerrada.',
      'Entre de novo. Se não tem certeza de quem tem acesso aos seus aparelhos, mude a senha.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Um administrador abriu dados seus',
    lines: [
      'Em {time}, um administrador deste serviço declarou uma emergência e pode ler um item dos seus dados durante {minutes} minutos.',
      'Entre na sua conta para ver qual: as notificações indicam o item, e a lista de auditoria diz quando foi lido. O motivo fica guardado para os auditores.',
      'Se isto é inesperado, pergunte ao operador do serviço.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Agora também se entra na sua conta por um serviço de identidade',
    lines: [
      'Alguém que se identificou em {provider} com este endereço, verificado por esse serviço, entrou na sua conta. A partir de agora, essa identificação abre a conta.',
      'Se não foi você, proteja a sua conta nesse serviço, retire essa identidade da sua conta aqui e mude a senha.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Um serviço de identidade foi retirado da sua conta',
    lines: [
      'A identificação em {provider} não abre mais a sua conta, e todas as outras sessões foram encerradas.',
      'Se não foi você, peça já uma nova senha.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'O segundo fator foi ativado',
    lines: [
      'A partir de agora, é preciso um código do seu app de autenticação para entrar. Todas as outras sessões foram encerradas.',
      'Guarde os códigos de recuperação onde possa encontrá-los sem o telefone: cada um abre a conta uma vez.',
      'Se não foi você, peça já uma nova senha e escreva ao operador do serviço.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'O segundo fator foi desativado',
    lines: [
      'A partir de agora, basta a senha para abrir a sua conta. Todas as outras sessões foram encerradas.',
      'Se não foi você, peça já uma nova senha e volte a ativar o segundo fator.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Um administrador retirou o segundo fator da sua conta',
    lines: [
      'A partir de agora, basta a senha para abrir a sua conta, até você configurar de novo um segundo fator. Todas as sessões foram encerradas.',
      'Se não foi um pedido seu, peça já uma nova senha e escreva ao operador do serviço.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Você tem novos códigos de recuperação',
    lines: [
      'Foram criados novos códigos de recuperação para a sua conta; os antigos não valem mais.',
      'Se não foi você, peça já uma nova senha.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Um código de recuperação foi usado para entrar',
    lines: [
      'Alguém entrou na sua conta com um dos códigos de recuperação. Restam: {left}.',
      'Se não foi você, peça já uma nova senha e depois crie novos códigos de recuperação.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'A sua conta está agora em modo empresarial',
    lines: [
      'A partir de agora, valem regras mais rígidas para a sua conta: é preciso um segundo fator, e as sessões são mais curtas.',
      'Se ainda não tem um segundo fator, terá de configurá-lo antes de tudo.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'A sua conta saiu do modo empresarial',
    lines: [
      'As regras mais rígidas não valem mais para a sua conta. Se tem um segundo fator, ele continua até você o desativar.',
      'Se isto é inesperado, escreva ao operador do serviço.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Acesso à conta num aparelho novo',
    lines: [
      'Alguém, talvez você, entrou na sua conta com um aparelho e uma rede ainda não usados nela: {agent}, rede {network}, {time}.',
      'Se não foi você, escolha já uma nova senha: isso encerra todas as sessões.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Foi feita uma cópia dos seus dados',
    lines: [
      'Uma cópia completa dos seus dados foi criada e obtida a partir da sua conta.',
      'Se não foi você, mude já a senha.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'A cópia dos seus dados está pronta',
    lines: [
      'A cópia dos seus dados que você pediu está pronta. Entre na conta para obtê-la até {time}; depois disso, ela é apagada.',
      'Se não foi você, mude já a senha.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'A sua conta foi apagada',
    lines: [
      'A sua conta foi apagada, como você pediu: ninguém mais pode entrar, e os seus códigos não mostram mais nada. As fotos e os demais conteúdos guardados também serão apagados.',
      'Isto não pode ser desfeito. O seu endereço está livre para uma nova conta. Este é o último e-mail que enviamos.',
    ],
  },
  NOTIFICATION: {
    open: 'Para ver mais, entre na sua conta.',
    answer: 'Ler e responder sem entrar na conta:',
    when: 'Hora: {time}',
    page: 'A página do código, como os outros a veem; aberta por este link, não conta como leitura:',
    more: 'Veja mais aqui:',
    unsubscribe: 'Não receber mais e-mails deste tipo:',
    stopTitle: 'Não receber mais e-mails deste tipo?',
    stopKind: 'E-mails deste tipo: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'leituras dos seus códigos',
      LOST_CODE_SCANNED: 'leituras de um código perdido',
      SCAN_LOCATED: 'locais informados',
      MESSAGE_RECEIVED: 'mensagens sobre os seus códigos',
      PIN_REJECTED: 'PIN errado',
      GUEST_BOOK_SIGNED: 'mensagens nos seus livros de visitas',
      BIRTH_ANNIVERSARY: 'aniversários de quem você recorda',
      DEATH_ANNIVERSARY: 'aniversários de falecimento',
      CODE_EXPIRING: 'códigos que terminam em breve',
      CODE_EXPIRED: 'códigos que terminaram',
      DOCUMENT_EXPIRING: 'documentos que expiram em breve',
      DOCUMENT_EXPIRED: 'documentos que expiram',
      ANSWER_RECEIVED: 'respostas à sua mensagem',
    },
    damagedTitle: 'Este link está danificado',
    damagedText: 'Ele está incompleto ou foi alterado. Abra-o de novo a partir do e-mail, tal como está lá.',
    stop: 'Parar estes e-mails',
    stopped: 'Não receberá mais e-mails deste tipo.',
  },
  ANSWER_RECEIVED: {
    subject: 'Uma resposta à sua mensagem',
    lines: [
      'O responsável pelo código que você leu respondeu. Leia aqui:',
      '{link}',
      'O link é só para você. Nessa página, você também pode dizer que não quer mais receber e-mails.',
    ],
  },
};
