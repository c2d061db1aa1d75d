frame function main
echo --- core\n
print earth
print pair
print null
print tiny
print world
print none
print status
print it
print $dz(bits)
