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
  CODE_EXPIRING: {
    title: '“{code}”即将到期',
    body: '您的二维码“{code}”将于 {date} 到期，之后不再显示任何内容。',
  },
  CODE_EXPIRED: {
    title: '“{code}”已到期',
    body: '您的二维码“{code}”已到期，不再显示任何内容。',
  },
  SCANS_DIGEST: {
    title: { other: '您的二维码被扫描 {count} 次' },
    body: '自 {time} 起：{codes}。',
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
