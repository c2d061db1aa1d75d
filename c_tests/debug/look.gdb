# When a thread ends is the machine's affair.
set print thread-events off
break stop_here
continue
frame function main
echo \n--- 64-bit\n
print earth
print sol
print dead
print likes
print position
print pair
print null
print world
print none
print gone
print status
print it
print $dz(bits)
print $dz(pair, world)
echo --- 32-bit\n
print small
print tiny
print $dz(tiny, small)
echo --- undisturbed\n
set $before = counter
print earth
print counter - $before
generate-core-file inspected.core
echo --- end\n
continue
