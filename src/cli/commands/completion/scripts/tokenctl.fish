# tokenctl completion for fish
function __tokenctl_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (tokenctl __complete fish -- $words[2..] 2>/dev/null)
        if test "$line" = ":file"
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $line
        end
    end
end
complete -c tokenctl -f -a '(__tokenctl_complete)'
