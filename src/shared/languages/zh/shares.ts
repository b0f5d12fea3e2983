import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: '给您的文件',
  text: '有人与您共享了此文件，并能看到文件何时被打开。',
  passcodeText: '请输入对方告诉您的访问码。',
  passcode: '访问码',
  passcodeWrong: '访问码不正确。',
  passcodeBusy: '其他人正在输入访问码。请等几秒再试。',
  views: { other: '还可以打开 {count} 次。' },
  until: '可以打开到：{time}。',
  stale: '此页面打开时间过长，请再按一次按钮。',
  goneText: '此链接不存在或已被停用。请检查链接是否完整。',
  expiredTitle: '此链接已过期',
  expiredText: '它已不能打开任何内容。请向发送者索取新的链接。',
  usedTitle: '此链接已用完',
  usedText: '它只能打开有限的次数。请向发送者索取新的链接。',
  pasteTitle: '打开共享的文件',
  pasteText: '请粘贴您收到的完整链接。',
  pasteLabel: '链接',
  pasteButton: '继续',
  sectionTitle: '可打开的文件',
  unnamed: '一份文件',
};
