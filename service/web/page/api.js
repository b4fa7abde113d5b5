// The service's API, by relative addresses: the page works under any prefix.

export class Problem extends Error {
  constructor(said, status) {
    super(said.detail || "The service did not answer.");
    this.status = status;
  }
}

const KEY = "hoptrail-key";

function headers(more = {}) {
  const key = sessionStorage.getItem(KEY);
  return key ? { ...more, Authorization: `Bearer ${key}` } : more;
}

let asked = null; // requests that are refused together ask once

async function askKey() {
  const dialog = document.getElementById("key-dialog");
  const field = document.getElementById("key");
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  const given = field.value.trim();
  field.value = "";
  if (!given) throw new Problem({ detail: "No key was given. Load the page again to give one." }, 401);
  sessionStorage.setItem(KEY, given);
}

export async function send(path, how = {}) {
  for (;;) {
    let response;
    try {
      response = await fetch(path, { ...how, headers: headers(how.headers) });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({ detail: "The service can't be reached." }, 0);
    }
    if (response.ok) return response;
    if (response.status === 401) {
      sessionStorage.removeItem(KEY);
      await (asked ||= askKey().finally(() => (asked = null)));
      continue;
    }
    throw new Problem(await response.json().catch(() => ({})), response.status);
  }
}

export async function get(path) {
  return (await send(path)).json();
}

// The events of a stream, each [name, data]. EventSource can't post, nor send a key.
export async function* stream(path, how) {
  const reader = (await send(path, how)).body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += value;
    const parts = held.split(/\r?\n\r?\n/);
    held = parts.pop();
    for (const part of parts) {
      let name = "message";
      let data = "";
      for (const line of part.split(/\r?\n/)) {
        if (line.startsWith("event:")) name = line.slice(6).trim();
        if (line.startsWith("data:")) data += line.slice(5).trim();
      }
      if (data) yield [name, JSON.parse(data)];
    }
  }
}

// fetch tells nothing of how much has been sent.
export function upload(file, onProgress) {
  const request = new XMLHttpRequest();
  const done = new Promise((resolve, reject) => {
    request.open("POST", "v1/documents");
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    request.onload = () => {
      let said = {};
      try {
        said = JSON.parse(request.responseText);
      } catch {
        // a proxy's page: its status is all there is
      }
      if (request.status === 202) resolve(said);
      else reject(new Problem(said, request.status));
    };
    request.onerror = () => reject(new Problem({ detail: "The service can't be reached." }, 0));
    request.onabort = () => reject(new Problem({ detail: "Cancelled." }, 0));
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
  return { done, abort: () => request.abort() };
}
