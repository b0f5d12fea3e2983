import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '您的验证码是 {otp}',
    lines: [
      '您的验证码：{otp}',
      '此验证码对应 {time} 的注册及当时设置的密码。{minutes} 分钟内有效，只能使用一次。',
      '如果您当时没有注册，请忽略此邮件，也不要把验证码告诉任何人：知道它的人可以用您的邮箱开设账户。',
    ],
  },
  OTP_CHOICE: {
    subject: '您的验证码是 {codes}，请选择',
    or: '{one} 或 {other}',
    choice: '{otp}：对应 {time} 的注册',
    lines: [
      '此邮箱被注册了多次，且密码不同。请根据时间，输入您本人那次注册的验证码：',
      '您输入的验证码决定账户使用哪个密码。{minutes} 分钟内有效，只能使用一次。',
      '如果某次注册不是您本人所为，请不要输入其验证码，也不要告诉任何人，因为注册的人知道密码。如果都不是，请忽略此邮件。',
    ],
  },
  ALREADY_REGISTERED: {
    subject: '您已有账户',
    lines: [
      '有人（可能是您本人）尝试用此邮箱注册。该邮箱已有账户，未作任何更改。',
      '如果忘记了密码，可在登录页面重设。',
    ],
  },
  PASSWORD_RESET: {
    subject: '设置新密码',
    lines: [
      '有人（可能是您本人）为此邮箱申请重设密码。请打开以下链接设置新密码：',
      '{link}',
      '链接在 {minutes} 分钟内有效，只能使用一次。如果不是您本人操作，请忽略此邮件，密码不会改变。',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: '您的密码已重设',
    lines: [
      '您的密码已通过发送到此邮箱的链接重设，所有会话均已结束。',
      '如果不是您本人操作，请立即重设密码。',
    ],
  },
  PASSWORD_CHANGED: {
    subject: '您的密码已修改',
    lines: ['您的密码已修改，其他会话均已结束。', '如果不是您本人操作，请立即重设密码。'],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: '为安全起见，一个会话已结束',
    lines: [
      '您某个会话的令牌被再次使用，这通常意味着令牌被复制。该会话已结束。',
      '请重新登录。如果不确定谁能使用您的设备，请修改密码。',
    ],
  },
  GLASS_BROKEN: {
    subject: '管理员打开了您的一条记录',
    lines: [
      '{time}，本服务的一位管理员声明了紧急情况，可在 {minutes} 分钟内查看您的一条记录。',
      '登录后可在通知中查看是哪条记录，并在审计记录中查看何时被读取。原因会留存，供审计人员查阅。',
      '如果您对此不知情，请联系服务运营方。',
    ],
  },
  IDENTITY_LINKED: {
    subject: '您的账户现在可用第三方账号登录',
    lines: [
      '有人用 {provider} 账号登录了您的账户，该账号使用此邮箱，且已通过对方验证。今后可用该账号登录。',
      '如果不是您本人操作，请先保护好该第三方账号，再从您的账户解除关联，并修改密码。',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: '已解除第三方账号关联',
    lines: [
      '今后不能再通过 {provider} 登录您的账户，其他会话均已结束。',
      '如果不是您本人操作，请立即重设密码。',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: '两步验证已开启',
    lines: [
      '今后登录时需要输入身份验证器应用中的验证码。其他会话均已结束。',
      '请把恢复码存放在没有手机也能找到的地方：每个恢复码可用于登录一次。',
      '如果不是您本人操作，请立即重设密码，并联系服务运营方。',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: '两步验证已关闭',
    lines: [
      '今后只需密码即可登录您的账户。其他会话均已结束。',
      '如果不是您本人操作，请立即重设密码，然后重新开启两步验证。',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: '管理员已移除您账户的两步验证',
    lines: [
      '在您重新设置两步验证之前，只需密码即可登录您的账户。所有会话均已结束。',
      '如果这不是您要求的，请立即重设密码，并联系服务运营方。',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: '您有新的恢复码',
    lines: ['您的账户已生成新的恢复码，旧的恢复码已作废。', '如果不是您本人操作，请立即重设密码。'],
  },
  RECOVERY_CODE_USED: {
    subject: '有人使用恢复码登录',
    lines: [
      '有人使用恢复码登录了您的账户。剩余恢复码：{left} 个。',
      '如果不是您本人操作，请立即重设密码，然后生成新的恢复码。',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: '您的账户已进入企业模式',
    lines: [
      '从现在起，您的账户适用更严格的规则：必须使用两步验证，会话时间也更短。',
      '如果您还没有两步验证，系统会先要求您完成设置。',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: '您的账户已退出企业模式',
    lines: [
      '您的账户不再适用更严格的规则。两步验证会一直保留，直到您将其关闭。',
      '如果您对此不知情，请联系服务运营方。',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: '新设备登录',
    lines: [
      '有人（可能是您本人）从未曾使用过的设备和网络登录了您的账户：{agent}，网络 {network}，{time}。',
      '如果不是您本人，请立即设置新密码，这会结束所有会话。',
    ],
  },
  DATA_EXPORTED: {
    subject: '您的数据已导出',
    lines: ['有人从您的账户生成并下载了您的全部数据存档。', '如果不是您本人操作，请立即修改密码。'],
  },
  DATA_EXPORT_READY: {
    subject: '您的数据存档已生成',
    lines: [
      '您申请的数据存档已准备好。请登录并在 {time} 之前下载，之后会被删除。',
      '如果不是您本人操作，请立即修改密码。',
    ],
  },
  ACCOUNT_ERASED: {
    subject: '您的账户已注销',
    lines: [
      '已按您的要求注销账户：无法再登录，您的二维码不再显示任何内容。图片及其他文件正在删除。',
      '此操作无法撤销。您的邮箱可用于注册新账户。这是我们发给您的最后一封邮件。',
    ],
  },
  NOTIFICATION: {
    open: '登录后可查看更多。',
    answer: '无需登录，即可阅读和回复：',
    when: '时间：{time}',
    page: '二维码的页面（他人看到的内容）；通过此链接打开不计为扫描：',
    more: '在此查看更多：',
    unsubscribe: '不再接收此类邮件：',
    stopTitle: '不再接收此类邮件吗？',
    stopKind: '此类邮件：{kind}。',
    kinds: {
      QR_CODE_SCANNED: '您的二维码的扫描',
      LOST_CODE_SCANNED: '丢失二维码的扫描',
      SCAN_LOCATED: '收到的位置',
      MESSAGE_RECEIVED: '关于您的二维码的留言',
      PIN_REJECTED: 'PIN 码输入错误',
      GUEST_BOOK_SIGNED: '您的留言簿中的留言',
      BIRTH_ANNIVERSARY: '故人的诞辰',
      DEATH_ANNIVERSARY: '忌日',
      CODE_EXPIRING: '即将到期的二维码',
      CODE_EXPIRED: '已到期的二维码',
      DOCUMENT_EXPIRING: '即将到期的文件',
      DOCUMENT_EXPIRED: '到期的文件',
      ANSWER_RECEIVED: '您的留言的回复',
    },
    damagedTitle: '此链接已损坏',
    damagedText: '链接不完整或已被更改。请从邮件中按原样重新打开。',
    stop: '停止接收此类邮件',
    stopped: '您将不再收到此类邮件。',
  },
  ANSWER_RECEIVED: {
    subject: '您的留言收到了回复',
    lines: [
      '您所扫描的二维码的主人已回复您。请在此查看：',
      '{link}',
      '此链接仅供您本人使用。您也可以在该页面上选择不再接收邮件。',
    ],
  },
};
