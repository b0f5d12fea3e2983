export const pushes = {
  QR_CODE_SCANNED: '您的一个二维码被扫描了',
  LOST_CODE_SCANNED: '寻找中：您的一个二维码被扫描了',
  SCAN_LOCATED: '有人扫描了您的二维码，并发送了所在位置',
  MESSAGE_RECEIVED: '有人扫描了您的二维码，并给您留言',
  PIN_REJECTED: '您的一个二维码的 PIN 码输入错误',
  CODE_EXPIRING: '您的一个二维码即将到期',
  CODE_EXPIRED: '您的一个二维码已到期',
  DOCUMENT_OPENED: '您的一份文件已被打开',
  PASSCODE_REJECTED: '您的一份文件的访问码输入错误',
  ABOUT_A_CODE: '您的一个二维码有新消息',
  ABOUT_SUBSCRIPTION: '您的订阅有新消息',
  SUBSCRIPTION_NEEDS_YOU: '您的订阅需要您处理',
};
