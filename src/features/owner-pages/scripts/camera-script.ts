/** The camera in place of typing the number of a code. */
export const CAMERA_SCRIPT = `// Only the id of what is read goes on: no code leads to another host.
'camera': function (part) {
  var media = navigator.mediaDevices, texts = part.dataset;
  var video = part.querySelector('video'), state = part.querySelector('[role=status]');
  var buttons = part.querySelectorAll('button'), start = buttons[0], end = buttons[1];
  var detector, stream = null, timer;
  var photo = part.querySelector('input');
  if (!window.BarcodeDetector || !media || !media.getUserMedia) return offerPhoto();
  BarcodeDetector.getSupportedFormats().then(function (formats) {
    if (formats.indexOf('qr_code') < 0) return offerPhoto();
    detector = new BarcodeDetector({ formats: ['qr_code'] });
    part.hidden = start.parentNode.hidden = false;
  });
  start.addEventListener('click', open);
  end.addEventListener('click', function () {
    close('');
    start.focus();
  });
  addEventListener('pagehide', function () {
    close('');
  });
  document.addEventListener('visibilitychange', function () {
    if (document.hidden) close('');
  });
  function open() {
    start.disabled = true;
    state.textContent = texts.opening;
    media.getUserMedia({ video: { facingMode: 'environment' } }).then(function (opened) {
      start.disabled = false;
      if (document.hidden) return stop(opened);
      stream = opened;
      video.srcObject = stream;
      video.style.maxWidth = '100%';
      show(true);
      state.textContent = texts.aim;
      end.focus();
      // Its first picture may take a while; it ends when the camera does.
      video.play().catch(function () {});
      look();
    }).catch(function (error) {
      start.disabled = false;
      close(error.name === 'NotAllowedError' ? texts.denied : texts.failed);
      start.focus();
    });
  }
  function look() {
    if (!stream) return;
    detector.detect(video).catch(function () {
      return [];
    }).then(function (found) {
      if (!stream) return;
      for (var index = 0; index < found.length; index += 1) {
        var id = parse(found[index].rawValue);
        if (id) {
          close('');
          return location.assign(texts.path + id + texts.query);
        }
        state.textContent = texts.foreign;
      }
      timer = setTimeout(look, 200);
    });
  }
  // The service reads the code where the browser cannot.
  function offerPhoto() {
    part.hidden = photo.parentNode.hidden = false;
    photo.addEventListener('change', function () {
      var body = new FormData();
      if (!photo.files.length) return;
      body.append('photo', photo.files[0]);
      photo.disabled = true;
      state.textContent = texts.reading;
      fetch(texts.photo, { method: 'POST', body: body, credentials: 'omit' }).then(function (response) {
        if (!response.ok) throw response;
        return response.json();
      }).then(function (read) {
        location.assign(texts.path + read.id + texts.query);
      }).catch(function (failure) {
        state.textContent = failure.status === 404 || failure.status === 400 ? texts.unread : texts.later;
      }).then(function () {
        photo.disabled = false;
        photo.value = '';
        photo.focus();
      });
    });
  }
  function parse(text) {
    if (text.slice(0, texts.prefix.length).toLowerCase() !== texts.prefix.toLowerCase()) return null;
    var rest = /^([0-9a-f]{24})(?:[?#].*)?$/.exec(text.slice(texts.prefix.length));
    return rest && rest[1];
  }
  function close(text) {
    clearTimeout(timer);
    if (stream) stop(stream);
    stream = null;
    video.srcObject = null;
    show(false);
    state.textContent = text;
  }
  function stop(opened) {
    opened.getTracks().forEach(function (track) {
      track.stop();
    });
  }
  function show(isOpen) {
    video.hidden = end.parentNode.hidden = !isOpen;
    start.parentNode.hidden = isOpen;
  }
}`;
