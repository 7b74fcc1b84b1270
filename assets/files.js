// A file goes into the field that takes its text. The service reads it, because a browser takes every file for UTF-8.
// Without this file the text is pasted.
"use strict";
(() => {
  const offerFiles = () => {
    for (const field of document.querySelectorAll(".file-only[hidden]")) field.hidden = false;
  };
  const textOf = async (file, form) => {
    const headers = { "x-csrf-token": form.elements.csrf.value, "content-type": "application/octet-stream" };
    const answer = await fetch("/texts", { method: "POST", headers, body: file });
    if (!answer.ok) throw new Error(answer.status === 422 ? await answer.text() : "");
    return answer.text();
  };
  document.addEventListener("change", async (event) => {
    const chooser = event.target;
    const file = chooser.files?.[0];
    const field = chooser.dataset?.fileInto && document.getElementById(chooser.dataset.fileInto);
    if (!field || !file) return;
    chooser.setCustomValidity("");
    try {
      field.value = await textOf(file, chooser.form);
    } catch (error) {
      chooser.setCustomValidity(error.message || chooser.dataset.fileWrong);
      chooser.reportValidity();
    }
  });
  document.addEventListener("toggle", offerFiles, true);
  offerFiles();
})();
