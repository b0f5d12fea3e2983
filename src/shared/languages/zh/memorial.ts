import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: '出生日期',
  died: '逝世日期',
  storyTitle: '生平故事',
  storyMore: '阅读全文',
  storyPart: '第 {part} 部分，共 {count} 部分',
  storyNext: '继续阅读',
  storyBefore: '上一部分',
  backToPage: '返回页面',
  placesTitle: '生平地点',
  placeKinds: {
    BIRTH: '出生地',
    HOME: '住所',
    DEATH: '逝世地点',
    GRAVE: '安息之地',
  },
  guestBookTitle: '留言簿',
  guestBookMore: '全部留言',
  guestBookOlder: '更早的留言',
  guestBookNameless: '一位访客',
  signTitle: '写留言',
  signText: '您写的内容会先由家属阅读。家属同意后，来到这里的人都可以看到。',
  signLabel: '您的留言',
  signEmpty: '请写些内容。尚未发送任何内容。',
  signClosed: '未发送任何内容。此留言簿不接受留言。',
  signDone: '谢谢。家属同意后，您的留言会显示在这里。',
};
