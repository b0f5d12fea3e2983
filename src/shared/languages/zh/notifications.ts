/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '“{code}”被扫描了', body: '您的二维码“{code}”被扫描了。' },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}”被扫描了',
    body: '您的二维码“{code}”在{place}附近被扫描了。',
  },
  LOST_CODE_SCANNED: { title: '寻找中：“{code}”被扫描了', body: '您的二维码“{code}”被扫描了。' },
  LOST_CODE_SCANNED_NEAR: {
    title: '寻找中：“{code}”被扫描了',
    body: '您的二维码“{code}”在{place}附近被扫描了。',
  },
  SCAN_LOCATED: {
    title: '收到“{code}”的位置',
    body: '有人扫描了您的二维码“{code}”，并发送了所在位置。',
  },
  SCAN_LOCATED_NEAR: {
    title: '收到“{code}”的位置',
    body: '有人扫描了您的二维码“{code}”，并发送了所在位置：{place}附近。',
  },
  MESSAGE_RECEIVED: {
    title: '关于“{code}”的留言',
    body: '有人扫描了您的二维码“{code}”，并给您留言。',
  },
  PIN_REJECTED: {
    title: '“{code}”的 PIN 码输入错误',
    body: '有人多次输错您的二维码“{code}”的 PIN 码。受保护的内容没有显示。',
  },
  GUEST_BOOK_SIGNED: {
    title: '“{remembered}”的留言簿有新留言',
    body: '有访客在“{remembered}”的留言簿上写了留言。您批准后即会显示。',
  },
  CARETAKER_NAMED: {
    title: '您可以协助打理一块纪念牌',
    body: '有人让您协助打理一块纪念牌，包括文字、照片和留言簿。它在您的“他人纪念牌”列表中。',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}：诞辰纪念日',
    body: '“{remembered}”的出生日期：{date}。',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}：逝世纪念日',
    body: '“{remembered}”的逝世日期：{date}。',
  },
  CODE_EXPIRING: {
    title: '“{code}”即将到期',
    body: '您的二维码“{code}”将于 {date} 到期，之后不再显示任何内容。',
  },
  CODE_EXPIRED: {
    title: '“{code}”已到期',
    body: '您的二维码“{code}”已到期，不再显示任何内容。',
  },
  DOCUMENT_INFECTED: {
    title: '“{document}”的内容已被移除',
    body: '在您的文件“{document}”中发现了恶意软件，相关内容已被移除。请检查上传所用的设备。',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}”即将到期',
    body: '您的文件“{document}”有效期至 {date}。',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}”将于 {date} 到期',
    body: '您的文件“{document}”有效期至 {date}。',
  },
  DOCUMENT_OPENED: {
    title: '“{document}”已被打开',
    body: '有人打开了您的文件“{document}”。通过什么方式，请看该文件的阅读记录。',
  },
  DOCUMENT_GIVEN: {
    title: '您收到一份可阅读的文件',
    body: '有人给了您一份可阅读的文件。它在您的“他人文件”列表中。',
  },
  PASSCODE_REJECTED: {
    title: '“{document}”的访问码输入错误',
    body: '有人多次输错您的文件“{document}”链接的访问码。文件没有被打开。',
  },
  SCANS_DIGEST: {
    title: { other: '您的二维码被扫描 {count} 次' },
    body: '自 {time} 起：{codes}。',
  },
  SUBSCRIPTION_STARTED: {
    title: '订阅已开始',
    body: '您现在的套餐是“{package}”。感谢您。',
  },
  SUBSCRIPTION_CHANGED: {
    title: '订阅已更改',
    body: '您现在的套餐是“{package}”。',
  },
  SUBSCRIPTION_ENDING: {
    title: '您的订阅将于{date}结束',
    body: '“{package}”套餐将随已付费的周期一同结束；在此之前您仍可保留。无论如何，您的二维码都会继续有效。',
  },
  SUBSCRIPTION_ENDED: {
    title: '订阅已结束',
    body: '“{package}”套餐已结束。已打印的二维码继续有效；超出免费套餐的部分今后只能查看。',
  },
  SUBSCRIPTION_PAUSED: {
    title: '订阅已暂停',
    body: '“{package}”套餐已暂停。已打印的二维码继续有效。',
  },
  SUBSCRIPTION_RESUMED: {
    title: '订阅已恢复',
    body: '您又可以使用“{package}”套餐了。',
  },
  TRIAL_ENDING: {
    title: '您的试用期将于{date}结束',
    body: '此后“{package}”套餐将开始收费，除非您在此之前取消。',
  },
  PAYMENT_RECEIVED: {
    title: '已收到您的付款 {amount}',
    body: '感谢您。您已为“{package}”（{period}）支付 {amount}。所有账单都在您账户的“订阅”中。',
  },
  PAYMENT_FAILED: {
    title: '付款 {amount} 失败',
    body: '未能收取“{package}”的费用 {amount}。请在账户的“订阅”中检查您的付款方式。已打印的二维码继续有效。',
  },
  PAYMENT_ACTION_NEEDED: {
    title: '请确认付款 {amount}',
    body: '您的银行要求您确认“{package}”的付款 {amount}。请在账户的“订阅”中打开账单。',
  },
  PAYMENT_REFUNDED: {
    title: '已退款 {amount}',
    body: '我们已将“{package}”的 {amount} 退还给您。到账可能需要几天时间。',
  },
  PAYMENT_DISPUTED: {
    title: '付款 {amount} 存在争议',
    body: '您的银行要求退还“{package}”的 {amount}。如果这是误会，请告知您的银行。',
  },
  SCANS_DIGEST_NEAR: {
    title: { other: '您的二维码被扫描 {count} 次' },
    body: '自 {time} 起：{codes}。最新位置：{place}附近。',
  },
  NEW_LOGIN: {
    title: '新的登录',
    body: '有人登录了您的账户。如果不是您本人，请修改密码并结束该会话。',
  },
  PASSWORD_CHANGED: {
    title: '密码已修改',
    body: '其他会话均已结束。如果不是您本人操作，请立即重设密码。',
  },
  SECOND_FACTOR_ON: {
    title: '两步验证已开启',
    body: '其他会话均已结束。如果不是您本人操作，请修改密码。',
  },
  SECOND_FACTOR_OFF: {
    title: '两步验证已关闭',
    body: '其他会话均已结束。如果不是您本人操作，请修改密码。',
  },
  ROLE_CHANGED: {
    title: '您的角色已变更',
    body: '管理员已将您的角色改为 {role}。',
  },
  GLASS_BROKEN: {
    title: '管理员打开了您的一条记录',
    body: '管理员声明了紧急情况，可在一刻钟内查看该记录。谁看了什么，可在您的审计记录中查看。',
  },
};
