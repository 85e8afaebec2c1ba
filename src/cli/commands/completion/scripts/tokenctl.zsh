#compdef tokenctl
# tokenctl completion for zsh
_tokenctl() {
  local line value
  local -a candidates
  while IFS= read -r line; do
    if [[ "$line" == ":file" ]]; then
      _files
      continue
    fi
    value="${line%%$'\t'*}"
    value="${value//:/\\:}"
    if [[ "$line" == *$'\t'* ]]; then
      candidates+=("$value:${line#*$'\t'}")
    else
      candidates+=("$value")
    fi
  done < <(tokenctl __complete zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#candidates} )) && _describe 'tokenctl' candidates
}
compdef _tokenctl tokenctl
